/* A unit of its own, which calls an import and branches by a table. */
extern void host(int);

int other(int a, int *b) {
  int result = a * *b;
  switch (a & 7) {
  case 1: host(result); break;
  case 2: result += 5; break;
  case 3: return 0;
  case 4: host(a); return a;
  default: result -= 3; host(a);
  }
  return result;
}
