#include "calls.h"
KEPT int host_side(int n);
KEPT int side_leaf(int n) {
  return host_side(n) * 2;
}
KEPT int side_twice(int n) {
  return side_leaf(n) + side_leaf(n + 1);
}
