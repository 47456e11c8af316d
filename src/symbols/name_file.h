/* A file from which a module's functions are named. */
#ifndef WI_SYMBOLS_NAME_FILE_H_
#define WI_SYMBOLS_NAME_FILE_H_

#include "symbols/namings.h"
#include "symbols/signatures.h"

/* What a file gave, worst first. */
typedef enum wi_name_file_use {
  WI_NAME_FILE_UNRELATED, /* it is a build of another program */
  WI_NAME_FILE_DISTINCT,  /* no function is in both */
  WI_NAME_FILE_USED       /* it has functions in common with the module, or signatures */
} wi_name_file_use;

/*
 * Adds names from the file's `size` bytes at `bytes` to each of `count` modules' namings. It may be
 * another build of one of them, a component with such builds in it, or signatures, which are only
 * added to `signatures`: wi_signatures_name uses them once all builds have given their names. *use is
 * the best for any of the modules.
 *
 * Returns false with *error filled in. *culprit is then the namings whose module is malformed, or NULL
 * if the file is, or if memory ran out.
 */
bool wi_name_file_add(wi_namings *namings, uint32_t count, wi_signatures *signatures,
                      const uint8_t *bytes, size_t size, wi_name_file_use *use, wi_error *error,
                      const wi_namings **culprit);

/* Why the file gave no name, for a message; NULL if it was used. */
const char *wi_name_file_problem(wi_name_file_use use);

#endif /* WI_SYMBOLS_NAME_FILE_H_ */
