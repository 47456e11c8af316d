/* The functions of a trace: events with a beginning and an end. */
#ifndef WI_SAMPLES_TRACE_EVENTS_H_
#define WI_SAMPLES_TRACE_EVENTS_H_

#include "samples/samples.h"
#include "support/cursor.h"

/*
 * Adds the functions in an array of events: complete ones (X), and pairs of a beginning and an end
 * (B and E). A function that does not end has no time.
 */
bool wi_trace_events_read(wi_cursor events, wi_samples *samples, wi_error *error);

#endif /* WI_SAMPLES_TRACE_EVENTS_H_ */
