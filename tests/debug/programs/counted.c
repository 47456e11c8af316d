/* One statement a line, so that those who count lines by edges, regions or instructions agree. */
static int depth;

static int early(int value) {
  if (value < 0)
    return -1;
  depth++;
  return value / 2;
}

static int choose(int value) {
  int result = 0;
  /* clang-format off */
  switch (value & 3) {
  case 0:
    result = early(value);
    break;
  case 1:
    result = early(-value);
    break;
  default:
    result = 7;
  }
  /* clang-format on */
  return result;
}

static int recurse(int levels) {
  if (levels == 0)
    return 1;
  int below = recurse(levels - 1);
  return below + levels;
}

static int never(int value) {
  int result = value;
  while (result > 10)
    result--;
  return result;
}

static long collatz(long value) {
  long steps = 0;
  while (value != 1) {
    if (value % 2 == 0)
      value = value / 2;
    else
      value = 3 * value + 1;
    steps++;
    if (steps > 1000)
      goto out;
  }
out:
  return steps;
}

int main(void) {
  long sum = 0;
  for (int i = 1; i < 300; i++) {
    sum += collatz(i);
    sum += choose(i);
  }
  int rest = 5;
  do {
    sum += recurse(rest);
    rest--;
  } while (rest > 0);
  if (sum == 0)
    sum = never(100);
  return depth == 0;
}
