#include "cli/perf/bench/suite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/file.h"
#include "cli/perf/bench/toml.h"
#include "support/clean.h"

static const struct {
  const char *key;
  bool is_array;
  size_t offset;
} keys[] = {
#define CLI_BENCHMARK_KEY(field, key, is_array, help)                                              \
  {key, is_array, offsetof(cli_benchmark, field)},
    CLI_BENCHMARK_KEYS(CLI_BENCHMARK_KEY)
#undef CLI_BENCHMARK_KEY
};

static cli_list *values_of(cli_benchmark *benchmark, size_t key) {
  return (cli_list *)((char *)benchmark + keys[key].offset);
}

const char *cli_benchmark_text(const cli_list *values) {
  return values->count > 0 ? values->items[0] : NULL;
}

const cli_benchmark *cli_suite_find(const cli_suite *suite, const char *name) {
  for (uint32_t i = 0; i < suite->benchmarks_count; i++)
    if (strcmp(suite->benchmarks[i].name, name) == 0)
      return &suite->benchmarks[i];
  return NULL;
}

static void benchmark_clear(cli_benchmark *benchmark) {
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    cli_list_clear(values_of(benchmark, i));
  free(benchmark->name);
}

void cli_suite_clear(cli_suite *suite) {
  for (uint32_t i = 0; i < suite->benchmarks_count; i++)
    benchmark_clear(&suite->benchmarks[i]);
  free(suite->benchmarks);
  free(suite->folder);
  *suite = (cli_suite){0};
}

void cli_suite_remove(cli_suite *suite, uint32_t index) {
  benchmark_clear(&suite->benchmarks[index]);
  suite->benchmarks_count--;
  for (uint32_t i = index; i < suite->benchmarks_count; i++)
    suite->benchmarks[i] = suite->benchmarks[i + 1];
}

cli_benchmark cli_benchmark_copy(const cli_benchmark *benchmark, const char *name) {
  cli_benchmark copy = {.name = cli_text("%s", name), .growth = benchmark->growth};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    const cli_list *values = values_of((cli_benchmark *)benchmark, i);
    for (size_t k = 0; k < values->count; k++)
      cli_list_add(values_of(&copy, i), cli_text("%s", values->items[k]));
  }
  return copy;
}

bool cli_name_is(const char *name, const char *word) {
  size_t size = strlen(word);
  return strncmp(name, word, size) == 0 && (name[size] == '\0' || name[size] == '/');
}

bool cli_text_is_clean(const char *text) {
  char clean[512];
  size_t size = strlen(text);
  return size < sizeof clean && wi_text_clean(text, size, clean, sizeof clean) == size &&
         memcmp(text, clean, size) == 0;
}

/* ---- The file ------------------------------------------------------------------ */

static bool refuse(char *message, size_t size, const char *format, const char *name) {
  snprintf(message, size, format, name);
  return false;
}

static cli_benchmark *add(cli_suite *suite, const char *name) {
  cli_benchmark *benchmark = WI_ARRAY_PUSH(suite, benchmarks);
  if (benchmark)
    *benchmark = (cli_benchmark){.name = cli_text("%s", name)};
  return benchmark;
}

static bool begin_benchmark(cli_suite *suite, const cli_toml_item *item, char *message,
                            size_t size) {
  static const char prefix[] = "benchmark.";
  const char *name = item->table + sizeof prefix - 1;
  if (strncmp(item->table, prefix, sizeof prefix - 1) != 0 || *name == '\0')
    return refuse(message, size, "unknown table '%.80s'; benchmarks are [benchmark.NAME]",
                  item->table);
  if (!cli_text_is_clean(name))
    return refuse(message, size, "%s", "the benchmark's name has characters that cannot be shown");
  if (suite->benchmarks_count == CLI_MOST_BENCHMARKS)
    return refuse(message, size, "%s", "the list has too many benchmarks");
  if (cli_suite_find(suite, name))
    return refuse(message, size, "duplicate benchmark '%.80s'", name);
  return add(suite, name) || refuse(message, size, "%s", "out of memory");
}

static bool take_limit(cli_benchmark *benchmark, char *message, size_t size) {
  return cli_parse_percentage(benchmark->limit.items[0], &benchmark->growth) ||
         refuse(message, size, "fail-above wants a percentage like 1%%, not '%.80s'",
                benchmark->limit.items[0]);
}

static bool take_key(cli_benchmark *benchmark, size_t key, cli_toml_item *item, char *message,
                     size_t size) {
  cli_list *values = values_of(benchmark, key);
  if (values->items)
    return refuse(message, size, "'%s' is given twice", item->key);
  if (item->is_array != keys[key].is_array)
    return refuse(message, size,
                  keys[key].is_array ? "'%s' wants an array of strings" : "'%s' wants a string",
                  item->key);
  *values = item->values;
  item->values = (cli_list){0};
  return values != &benchmark->limit || take_limit(benchmark, message, size);
}

static bool refuse_key(const char *key, char *message, size_t size) {
  static const char known[] =
#define CLI_BENCHMARK_KEY(field, key, is_array, help) ", " key
      CLI_BENCHMARK_KEYS(CLI_BENCHMARK_KEY);
#undef CLI_BENCHMARK_KEY
  snprintf(message, size, "unknown key '%.30s'; keys are %s", key, known + strlen(", "));
  return false;
}

static bool take_item(void *user, cli_toml_item *item, char *message, size_t size) {
  cli_suite *suite = user;
  if (!item->key)
    return begin_benchmark(suite, item, message, size);
  if (suite->benchmarks_count == 0)
    return refuse(message, size, "'%.80s' belongs below [benchmark.NAME]", item->key);
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (strcmp(keys[i].key, item->key) == 0)
      return take_key(&suite->benchmarks[suite->benchmarks_count - 1], i, item, message, size);
  return refuse_key(item->key, message, size);
}

/* Whether each benchmark can be run. Prints an error if not. */
static bool check(const cli_suite *suite, const char *path) {
  if (suite->benchmarks_count == 0)
    cli_error(path, "it lists no benchmark; add [benchmark.NAME] with a module or a command");
  for (uint32_t i = 0; i < suite->benchmarks_count; i++) {
    const cli_benchmark *benchmark = &suite->benchmarks[i];
    if ((benchmark->module.count > 0) == (benchmark->command.count > 0)) {
      cli_error(path, "benchmark %s wants either a module or a command", benchmark->name);
      return false;
    }
  }
  return suite->benchmarks_count > 0;
}

bool cli_suite_read(cli_suite *suite, const char *path) {
  uint8_t *text;
  size_t size;
  cli_toml_error error;
  if (access(path, F_OK) != 0 && errno == ENOENT) {
    cli_error(path, "there is no such list of benchmarks; make one, or run one benchmark: "
                    "wasm-perf bench MODULE, or wasm-perf bench -- COMMAND");
    return false;
  }
  if (!cli_file_read(path, &text, &size, NULL))
    return false;
  bool done = cli_toml_read((const char *)text, size, take_item, suite, &error);
  if (!done)
    cli_error(path, "line %u, offset 0x%zx: %s", (unsigned)error.line, error.offset, error.message);
  free(text);
  const char *name = wi_path_name(path);
  suite->folder = name > path ? cli_text("%.*s", (int)(name - path), path) : NULL;
  return done && check(suite, path);
}

/* ---- The command line ------------------------------------------------------------ */

bool cli_suite_is_module(const char *word) {
  static const char magic[] = {'\0', 'a', 's', 'm'};
  char start[sizeof magic];
  FILE *file = cli_has_extension(word, "wasm") ? NULL : fopen(word, "rb");
  if (!file)
    return cli_has_extension(word, "wasm");
  bool is_module = fread(start, 1, sizeof start, file) == sizeof start &&
                   memcmp(start, magic, sizeof magic) == 0;
  fclose(file);
  return is_module;
}

/* Cargo names a program NAME-HASH.wasm; the hash changes with compiler, profile and dependencies. */
static char *name_without_hash(const char *name) {
  enum { HASH_SIZE = 16 };
  static const char extension[] = ".wasm";
  size_t size = strlen(name), tail = 1 + HASH_SIZE + sizeof extension - 1;
  const char *hash = size > tail ? name + size - tail : name;
  bool is_cargos = *hash == '-' && strspn(hash + 1, "0123456789abcdef") == HASH_SIZE &&
                   strcmp(hash + 1 + HASH_SIZE, extension) == 0;
  return is_cargos ? cli_text("%.*s%s", (int)(hash - name), name, extension) : cli_text("%s", name);
}

static void add_words(cli_list *list, size_t count, char *const *words) {
  for (size_t i = 0; i < count; i++)
    cli_list_add(list, cli_text("%s", words[i]));
}

bool cli_suite_add(cli_suite *suite, size_t count, char *const *words, bool is_command) {
  char *name = name_without_hash(wi_path_name(words[is_command ? count - 1 : 0]));
  cli_benchmark *benchmark = add(suite, name);
  free(name);
  if (!benchmark) {
    cli_error(NULL, "out of memory");
    return false;
  }
  add_words(is_command ? &benchmark->command : &benchmark->module, is_command ? count : 1, words);
  if (!is_command)
    add_words(&benchmark->args, count - 1, words + 1);
  return true;
}
