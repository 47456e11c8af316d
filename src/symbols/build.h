/* A build of a program: a module in memory and its names. */
#ifndef WI_SYMBOLS_BUILD_H_
#define WI_SYMBOLS_BUILD_H_

#include "module/module.h"
#include "support/buffer.h"

typedef struct wi_build {
  const uint8_t *bytes; /* borrowed */
  wi_module module;
  wi_buffer named; /* a copy of the bytes completed with names from Go's table, or empty */
  wi_names *names;
} wi_build;

/* Returns false with *error filled in and *build cleared if the bytes are not a module. */
bool wi_build_open(wi_build *build, const uint8_t *bytes, size_t size, wi_error *error);
void wi_build_close(wi_build *build);

#endif /* WI_SYMBOLS_BUILD_H_ */
