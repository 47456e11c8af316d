/* An empty reader for pages (page.c), used if clang has no libc for WASI. */
#include <stddef.h>
#include <stdint.h>

extern const uint8_t wi_reader[];
extern const size_t wi_reader_size;

const uint8_t wi_reader[] = {0};
const size_t wi_reader_size = 0;
