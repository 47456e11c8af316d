// Exceptions through many frames, past destructors, thrown again, and caught by type.
#include <stdexcept>
#include <string>
#include <vector>

#include "print.h"

static int living = 0;

struct Guard {
  Guard() { living++; }
  ~Guard() { living--; }
};

struct Refused : std::runtime_error {
  explicit Refused(int n) : std::runtime_error("refused " + std::to_string(n)), number(n) {}
  int number;
};

static void leaf(int n) {
  if (n % 3 == 0)
    throw Refused(n);
  if (n % 5 == 0)
    throw n;
  if (n % 7 == 0)
    throw std::out_of_range("range");
}

__attribute__((noinline)) static int descend(int depth, int n) {
  Guard guard;
  if (depth > 0)
    return descend(depth - 1, n) + 1;
  leaf(n);
  return 0;
}

__attribute__((noinline)) static int again(int n) {
  try {
    return descend(n % 6, n);
  } catch (const Refused &refused) {
    if (refused.number % 2 == 0)
      throw;
    return -1;
  } catch (int) {
    throw std::logic_error("from an int");
  }
}

static std::string attempt(int (*call)(int), int n) {
  try {
    return std::to_string(call(n));
  } catch (const std::runtime_error &error) {
    return error.what();
  } catch (const std::exception &error) {
    try {
      descend(2, 9);
    } catch (...) {
      return std::string("twice, ") + error.what();
    }
  }
  return "never";
}

int main() {
  std::vector<int> kept;
  for (int n = 0; n < 40; n++)
    print("%d: %s, %d\n", n, attempt(again, n).c_str(), living);
  try {
    for (int i = 0;; i = i * 2 + 1) {
      kept.push_back(i);
      kept.push_back(kept.at(i));
    }
  } catch (const std::out_of_range &) {
    print("%zu elements\n", kept.size());
  }
}
