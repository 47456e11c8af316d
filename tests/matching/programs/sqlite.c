/* A database in memory. */
#include <sqlite3.h>
#include <stdio.h>

static int print(void *context, int count, char **values, char **names) {
  (void)context;
  for (int i = 0; i < count; i++)
    printf("%s=%s ", names[i], values[i] ? values[i] : "NULL");
  puts("");
  return 0;
}

static void run(sqlite3 *db, const char *sql) {
  char *error = NULL;
  if (sqlite3_exec(db, sql, print, NULL, &error) != SQLITE_OK)
    printf("%s: %s\n", sql, error);
  sqlite3_free(error);
}

int main(void) {
  sqlite3 *db;
  sqlite3_open(":memory:", &db);
  run(db, "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, size REAL)");
  run(db, "CREATE INDEX by_name ON t(name)");
  run(db, "BEGIN");
  run(db, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) "
          "INSERT INTO t SELECT i, printf('n%04d', i * 7919 % 1000), i * 1.5 FROM n");
  run(db, "COMMIT");
  run(db, "UPDATE t SET size = size + length(name) WHERE id % 3 = 0");
  run(db, "SELECT count(*), sum(size), max(name) FROM t WHERE name LIKE '%7%'");
  run(db, "SELECT substr(name, 1, 3) AS p, avg(size) FROM t GROUP BY p ORDER BY 2 DESC LIMIT 3");
  run(db, "SELECT a.id, json_object('x', b.name) FROM t a JOIN t b ON a.name = b.name AND a.id < "
          "b.id LIMIT 3");
  run(db, "SELECT id, row_number() OVER (PARTITION BY id % 5 ORDER BY size) FROM t ORDER BY id "
          "LIMIT 3");
  run(db, "DELETE FROM t WHERE id BETWEEN 100 AND 200");
  run(db, "PRAGMA integrity_check");
  return sqlite3_close(db);
}
