/* What a file is that is dropped on a page. */
#ifndef WI_CLI_READER_FILE_KIND_H_
#define WI_CLI_READER_FILE_KIND_H_

#include <stddef.h>
#include <stdint.h>

#include "support/cursor.h"

typedef enum wi_file_kind {
  WI_FILE_PROFILE, /* of any tool, or nothing that we know */
  WI_FILE_PAGE,    /* of wasm-perf, with a profile inside */
  WI_FILE_SYMBOLS, /* has names, and perhaps lines: a module, a component, lines INDEX:NAME */
  WI_FILE_MAP,     /* a source map */
} wi_file_kind;

/* Of a page, *data is set to the packed profile. */
wi_file_kind wi_file_kind_of(const uint8_t *bytes, size_t size, wi_span *data);

#endif /* WI_CLI_READER_FILE_KIND_H_ */
