/*
 * Firefox's profiles: as Firefox writes them, and in its viewer's processed format, which wasmtime
 * run --profile=guest writes, too.
 */
#ifndef WI_SAMPLES_FIREFOX_H_
#define WI_SAMPLES_FIREFOX_H_

#include "samples/samples.h"
#include "support/cursor.h"

/* What the weights of a file are. */
typedef struct wi_firefox_value {
  wi_span name;    /* of the first thread, if the file is ours: a value; otherwise empty */
  double interval; /* of a sample, in nanoseconds */
} wi_firefox_value;

/* Whether the document, a valid one, looks like such a profile. */
bool wi_firefox_is(wi_cursor document);

/*
 * Adds the samples of all threads of all processes to *samples. Frames are WebAssembly unless they
 * say otherwise. A sample's weight is in milliseconds or, if it is a number of samples, in units of
 * the profile's interval. Our own file also has a thread of the same stacks with calls.
 */
bool wi_firefox_read(wi_cursor document, wi_samples *samples, wi_firefox_value *value,
                     wi_error *error);

#endif /* WI_SAMPLES_FIREFOX_H_ */
