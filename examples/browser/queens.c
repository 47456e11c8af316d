/* How many ways there are to place n queens so that none attacks another, by trying. No libc. */

enum { MAX_SIZE = 12 };

static int columns[MAX_SIZE]; /* of the queens placed, by row */

static int is_safe(int row, int column) {
  for (int other = 0; other < row; other++) {
    int distance = columns[other] - column;
    if (distance == 0 || distance == row - other || distance == other - row)
      return 0;
  }
  return 1;
}

static int place_row(int row, int size) {
  if (row == size)
    return 1;
  int count = 0;
  for (int column = 0; column < size; column++) {
    if (is_safe(row, column)) {
      columns[row] = column;
      count += place_row(row + 1, size);
    }
  }
  return count;
}

/* Sizes above 12 have no place. */
__attribute__((export_name("count_solutions"))) int count_solutions(int size) {
  return size <= MAX_SIZE ? place_row(0, size) : -1;
}
