/* What Firefox itself calls a frame. */
#ifndef WI_SAMPLES_FIREFOX_FRAME_H_
#define WI_SAMPLES_FIREFOX_FRAME_H_

#include "samples/samples.h"

/*
 * Adds the frame of a location such as "parse (https://host/app.mjs:12:3)[7]", an address, or a
 * label of Firefox's own. Returns false if out of memory.
 */
bool wi_firefox_add_location(wi_samples *samples, const char *location, uint32_t *frame);

#endif /* WI_SAMPLES_FIREFOX_FRAME_H_ */
