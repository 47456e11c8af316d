// Keeps blocks, and makes garbage.
#include <cstdlib>
#include <memory>
#include <vector>

struct Block {
  char bytes[100];
};

static Block *volatile first;

__attribute__((noinline)) void keep(int count) {
  for (int i = 0; i < count; i++)
    first = new Block;
}

__attribute__((noinline)) void spoil(int count) {
  for (int i = 0; i < count; i++) {
    std::unique_ptr<char[]> garbage(new char[64]);
    static volatile char *seen;
    seen = garbage.get();
  }
}

__attribute__((noinline)) void align(int count) {
  for (int i = 0; i < count; i++) {
    static void *volatile block;
    block = std::aligned_alloc(64, 128);
  }
}

int main() {
  keep(1000);
  spoil(500);
  align(10);
}
