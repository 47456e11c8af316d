// Reads a table of a file and computes with it: the same libraries as words.cc, used by other code.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <locale>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>

struct Row {
  std::string name;
  double value = 0;
};

static int compare(const void *a, const void *b) {
  double x = *static_cast<const double *>(a), y = *static_cast<const double *>(b);
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  std::ifstream in(argc > 1 ? argv[1] : "table.txt");
  std::unordered_map<std::string, std::unique_ptr<Row>> rows;
  std::string line;
  while (std::getline(in, line)) {
    auto row = std::make_unique<Row>();
    row->name = line.substr(0, line.find(','));
    row->value = std::stod(line.substr(row->name.size() + 1));
    rows[row->name] = std::move(row);
  }
  auto *values = static_cast<double *>(std::malloc(rows.size() * sizeof(double)));
  size_t count = 0;
  for (auto &[name, row] : rows)
    values[count++] = std::log(row->value) + std::fmod(row->value, 3) + std::atan2(row->value, 2);
  std::qsort(values, count, sizeof *values, compare);
  FILE *file = std::fopen("out.txt", "w");
  for (size_t i = 0; i < count; i++)
    std::fprintf(file, "%zu\t%.17g\n", i, values[i]);
  std::fclose(file);
  values = static_cast<double *>(std::realloc(values, 64));
  int number = 0;
  char word[32];
  std::sscanf("12 abc", "%d %31s", &number, word);
  std::cerr << number << ' ' << std::to_string(values[0]) << ' ' << std::memcmp(word, "abd", 3)
            << '\n';
  std::free(values);
  return number;
}
