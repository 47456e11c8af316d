/* pprof's protocol buffer, without compression. */
#ifndef WI_SAMPLES_PPROF_H_
#define WI_SAMPLES_PPROF_H_

#include "samples/samples.h"
#include "support/cursor.h"

/* What the values that were read are, as the file names them; not NUL-terminated. */
typedef struct wi_pprof_type {
  wi_span name, unit; /* in the bytes */
} wi_pprof_type;

/* Whether the bytes begin like one. */
bool wi_pprof_is(const uint8_t *bytes, size_t size);

/*
 * Adds the stacks of all samples to *samples. As pprof does, it reads the values of the file's
 * default type or, without one, of the last type. Returns false with *error filled in, also for
 * negative values, which a difference has.
 */
bool wi_pprof_read(const uint8_t *bytes, size_t size, wi_samples *samples, wi_pprof_type *type,
                   wi_error *error);

#endif /* WI_SAMPLES_PPROF_H_ */
