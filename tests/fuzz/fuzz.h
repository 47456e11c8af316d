/* What the fuzz targets share. */
#ifndef WI_TESTS_FUZZ_H_
#define WI_TESTS_FUZZ_H_

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* A property that must hold for every input; the fuzzer reports an abort with the input. */
#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition))                                                                              \
      abort();                                                                                     \
  } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif /* WI_TESTS_FUZZ_H_ */
