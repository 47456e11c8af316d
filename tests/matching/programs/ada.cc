// Parses and changes URLs.
#include <ada.cpp>
#include <cstdio>
#include <string>

int main() {
  static const char *const urls[] = {"https://user:pass@example.com:8080/a/../b/./c?x=1&y=%20#frag",
                                     "http://[2001:db8::1]:80/p a t h",
                                     "http://xn--bcher-kva.example/",
                                     "http://b\xc3\xbc"
                                     "cher.example/\xe2\x82\xac?q=\xc3\xa4",
                                     "file:///C:/x/y/../z",
                                     "http://0x7f.1/",
                                     "mailto:someone@example.com",
                                     "ws://localhost:1/%7Efoo",
                                     "http://1.2.3.4.5/",
                                     "nonsense"};
  size_t sum = 0;
  for (int round = 0; round < 50; round++)
    for (const char *text : urls) {
      auto url = ada::parse<ada::url_aggregator>(text);
      if (!url)
        continue;
      url->set_hash("h" + std::to_string(round));
      url->set_search("?n=" + std::to_string(round * 7));
      url->set_port("99");
      url->set_host("other.example");
      sum += url->get_href().size() + url->get_origin().size();
      auto base = ada::parse<ada::url>(text);
      if (base) {
        base->set_pathname("/x/../y z");
        sum += base->get_href().size();
      }
    }
  std::printf("%zu\n", sum);
}
