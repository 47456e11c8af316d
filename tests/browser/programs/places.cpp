// Puts places on a grid and looks for the nearest: a program of C++ with namespaces and the standard library.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace geo {
namespace index {

struct Point {
  double x, y;
  std::string name;
};

class Grid {
  std::unordered_map<long, std::vector<Point>> cells;

public:
  static long key(double x, double y) { return long(x * 10) * 1000 + long(y * 10); }

  void insert(Point point) { cells[key(point.x, point.y)].push_back(std::move(point)); }

  double nearest(double x, double y) const {
    double best = 1e9;
    for (int cell = 0; cell < 9; cell++) {
      auto found = cells.find(key(x + (cell / 3 - 1) * 0.1, y + (cell % 3 - 1) * 0.1));
      if (found == cells.end())
        continue;
      for (auto &point : found->second)
        best = std::min(best, (point.x - x) * (point.x - x) + (point.y - y) * (point.y - y));
    }
    return best;
  }
};

} // namespace index

namespace text {

std::vector<std::string> split(const std::string &line) {
  std::vector<std::string> words;
  for (size_t begin = 0, end; begin < line.size(); begin = end + 1) {
    end = std::min(line.find(' ', begin), line.size());
    words.push_back(line.substr(begin, end - begin));
  }
  return words;
}

} // namespace text
} // namespace geo

int main() {
  constexpr int COUNT = 300000;
  unsigned state = 3;
  auto next = [&state] {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % 10000 / 1000.0;
  };
  geo::index::Grid grid;
  std::map<std::string, int> names;
  for (int i = 0; i < COUNT; i++) {
    auto words = geo::text::split(std::to_string(next()) + " " + std::to_string(next()) + " place" +
                                  std::to_string(i % 977));
    names[words[2]]++;
    grid.insert({atof(words[0].c_str()), atof(words[1].c_str()), words[2]});
  }
  double sum = 0;
  for (int i = 0; i < COUNT; i++)
    sum += grid.nearest(next(), next());
  printf("%g %zu\n", sum, names.size());
}
