/* What the fuzz targets share. */
#ifndef WI_TESTS_FUZZ_H_
#define WI_TESTS_FUZZ_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* A property that must hold for every input; the fuzzer reports an abort with the input. */
#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition))                                                                              \
      abort();                                                                                     \
  } while (0)

#ifdef __cplusplus
extern "C" {
#endif

/* Whether WABT finds the module valid; false also where it does not know a feature. */
bool fuzz_is_valid(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* WI_TESTS_FUZZ_H_ */
