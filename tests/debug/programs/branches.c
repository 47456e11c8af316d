/* Branches of many kinds; each line has the branches of one statement. */
static int sum;

static int shortcuts(int a, int b, int c) {
  if (a && b)
    sum++;
  if (a || b || c)
    sum += 2;
  if (!(a && (b || c)))
    sum += 3;
  return a ? b : c;
}

static int sparse(int value) {
  switch (value) {
  case 3: return 1;
  case 1000: return 2;
  case -70000: return 3;
  case 1 << 30: return 4;
  }
  return 0;
}

static int dense(int value) {
  switch (value) {
  case 0:
  case 1: sum++; /* falls through */
  case 2: sum++; break;
  case 3: return 1;
  case 5:
  case 6: sum--; break;
  case 7: return sum;
  default: sum += 7;
  }
  return 0;
}

static int loops(int count) {
  int found = 0;
  for (int i = 0; i < count; i++) {
    if (i == 3)
      continue;
    for (int j = i; j-- > 0;)
      if (j == 5)
        goto next;
      else if (i + j == 11)
        return found;
    found += i > 2 ? 1 : 2;
  next:;
    if (found > 8)
      break;
  }
  do
    count -= 2;
  while (count > 0);
  while (1)
    if (count++ > 2)
      break;
  return found;
}

static int empty_arms(int a) {
  if (a > 1) {
  } else
    sum += 5;
  if (a > 2) {
    if (a > 3) {
    }
  }
  if (a < 0)
    ;
  return a;
}

static int never(int a, int b) {
  if (a && b)
    return 1;
  switch (a) {
  case 1: return 2;
  case 2: return 3;
  }
  return 4;
}

int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < 11; i++) {
    shortcuts(i & 1, i & 2, i & 4);
    sparse(i == 4 ? 1000 : i);
    dense(i - 1);
    loops(i);
    empty_arms(i - 1);
  }
  return argc > 100 ? never(1, 2) : 0;
}
