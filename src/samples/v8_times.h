/* What the samples of a V8 profile stand for: the time and the node of each. */
#ifndef WI_SAMPLES_V8_TIMES_H_
#define WI_SAMPLES_V8_TIMES_H_

#include "samples/v8_profile.h"

/* The node of a sample, and whether garbage was collected there. */
typedef struct wi_v8_sample {
  uint32_t node; /* index; UINT32_MAX: none */
  bool collects;
} wi_v8_sample;

/* Whether the node is that of a thread with nothing to do. */
bool wi_v8_is_idle(const wi_v8_profile *profile, const wi_v8_node *node);

/* Whether the node is V8's garbage collector. */
bool wi_v8_is_collector(const wi_v8_profile *profile, const wi_v8_node *node);

/*
 * Returns the nodes of all samples; the caller frees them. Collection has no stack, so it is
 * attributed to the code that ran before, as in DevTools. NULL: out of memory.
 */
wi_v8_sample *wi_v8_samples_of(const wi_v8_profile *profile);

/*
 * Returns the boundaries of the intervals that the samples represent, in microseconds on V8's
 * clock, one more than samples; the caller frees them. Each moment belongs to the nearest sample,
 * as V8 may be late by many intervals. The first and the last interval extend as far outwards as
 * inwards. The time before the first interval is the profiler's start. No interval begins before
 * `begin`, the end of the last profile: the two may overlap. NULL: out of memory.
 */
double *wi_v8_edges_of(const wi_v8_profile *profile, double begin);

/*
 * The length of intervals in which a thread had a processor all the time, in microseconds. `last`
 * is that of the profile before, which is more exact than a few intervals; 0: there was none.
 * `scratch` has room for `count` numbers.
 */
double wi_v8_usual_span(const double *spans, uint32_t count, double last, double *scratch);

/*
 * Finds the time in which a thread worked but had no processor. V8 asks for samples by signals,
 * which reach a thread only while it runs, so that time is in intervals much longer than usual.
 * `spans` has one interval per sample, in microseconds; 0 if the thread had nothing to do. `cpu` is
 * the processor time in all of them. Fills in `lost`, the part of each interval to take away;
 * nothing if the thread had nearly all of the time. Of a long interval, only the usual length
 * certainly belongs to its sample. If there is more processor time, such intervals share it.
 */
void wi_v8_find_lost(const double *spans, uint32_t count, double cpu, double usual, double *lost);

#endif /* WI_SAMPLES_V8_TIMES_H_ */
