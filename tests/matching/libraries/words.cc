// Counts words: streams, strings, maps, formatted output, what programs take of a C++ library.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

int main(int argc, char **argv) {
  std::map<std::string, int> counts;
  std::string word;
  while (std::cin >> word)
    counts[word]++;
  std::vector<std::pair<int, std::string>> sorted;
  for (auto &[name, count] : counts)
    sorted.emplace_back(count, name);
  std::sort(sorted.begin(), sorted.end());
  std::ostringstream out;
  for (auto &[count, name] : sorted)
    out << name << std::setw(8) << count << std::hex << count << std::scientific << std::sqrt(count)
        << '\n';
  std::cout << out.str() << std::endl;
  double value = argc > 1 ? std::strtod(argv[1], nullptr) : std::atof("1.5");
  std::printf("%s %g %.3f %ld\n", argv[0], std::pow(value, 1.5), std::sin(value) + std::exp(value),
              std::strtol("12", nullptr, 10));
  char text[64];
  std::snprintf(text, sizeof text, "%-10s|%08x|%Lf", "abc", 77, (long double)value);
  std::time_t now = std::time(nullptr);
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", std::gmtime(&now));
  std::puts(std::strstr(text, "20") ? text : std::strrchr(text, '-'));
  return (int)std::strspn(text, "0123456789");
}
