// Maps, sorting and formatted output of the standard library.
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

int main() {
  std::unordered_map<std::string, int> counts;
  for (int i = 0; i < 3000; i++)
    counts["word" + std::to_string(i * 7919 % 500)] += i;
  std::vector<std::pair<int, std::string>> sorted;
  for (const auto &[word, count] : counts)
    sorted.emplace_back(count, word);
  std::sort(sorted.begin(), sorted.end());
  std::map<int, std::string> tree(sorted.begin(), sorted.end());
  for (const auto &[count, word] : tree)
    std::printf("%s %d\n", word.c_str(), count);
}
