/* A file from which a module's functions are named. */
#ifndef WI_SYMBOLS_NAME_FILE_H_
#define WI_SYMBOLS_NAME_FILE_H_

#include "symbols/glue.h"
#include "symbols/namings.h"
#include "symbols/signatures.h"

/* What a file gave, worst first. */
typedef enum wi_name_file_use {
  WI_NAME_FILE_UNRELATED, /* it belongs to another program */
  WI_NAME_FILE_DISTINCT,  /* no function is in both */
  WI_NAME_FILE_USED       /* it has functions in common with the module, or signatures */
} wi_name_file_use;

/* Contents of such a file. Borrowed. */
typedef struct wi_name_file {
  const uint8_t *bytes;
  size_t size;
  bool is_meant; /* for these modules: a symbol map need not list all functions */
} wi_name_file;

/*
 * Adds names from a file to each of `count` modules' namings. It may be another build of one of them,
 * a component with such builds in it, a symbol map or the script of this build, whose names are
 * exact, or signatures, which are only added to `signatures`: wi_signatures_name uses them once all
 * builds have given their names. *use is the best for any of the modules.
 *
 * Returns false with *error filled in. *culprit is then the namings whose module is malformed, or
 * NULL if the file is, or if memory ran out.
 */
bool wi_name_file_add(wi_namings *namings, uint32_t count, wi_signatures *signatures,
                      const wi_name_file *file, wi_name_file_use *use, wi_error *error,
                      const wi_namings **culprit);

/* Adds the exact names of a script. Returns false if memory ran out. */
bool wi_name_glue_add(wi_namings *namings, const wi_glue *glue);

/* Why the file gave no name, for a message; NULL if it was used. */
const char *wi_name_file_problem(wi_name_file_use use);

#endif /* WI_SYMBOLS_NAME_FILE_H_ */
