#include "samples/v8_times.h"

#include <math.h>
#include <stdlib.h>

#include "support/arithmetic.h"

#define NONE UINT32_MAX

bool wi_v8_is_collector(const wi_v8_profile *profile, const wi_v8_node *node) {
  return strcmp(wi_v8_name(profile, node), "(garbage collector)") == 0;
}

bool wi_v8_is_idle(const wi_v8_profile *profile, const wi_v8_node *node) {
  return strcmp(wi_v8_name(profile, node), "(idle)") == 0;
}

wi_v8_sample *wi_v8_samples_of(const wi_v8_profile *profile) {
  wi_v8_sample *samples = malloc((profile->samples_count + (size_t)1) * sizeof *samples);
  uint32_t last = NONE;
  for (uint32_t i = 0; samples && i < profile->samples_count; i++) {
    uint32_t node = wi_v8_profile_find(profile, profile->samples[i]);
    bool collects = node != NONE && wi_v8_is_collector(profile, &profile->nodes[node]);
    last = collects ? last : node;
    samples[i] = (wi_v8_sample){last, collects};
  }
  return samples;
}

/* ---- Time without a processor ------------------------------------------------------ */

#define LEAST_LOSS 0.05 /* of the working time: a smaller one is not worth a frame */
#define LONG       1.5  /* times the usual interval: a longer one has a gap */
#define FEW        16u  /* intervals, which do not tell what is usual */
#define USUAL_PART 10u  /* 1/USUAL_PART of the intervals are shorter than the usual one */
#define HALVINGS   40u  /* that find a length to a millionth of the longest */

double wi_v8_usual_span(const double *spans, uint32_t count, double last, double *scratch) {
  uint32_t used = 0;
  for (uint32_t i = 0; i < count; i++)
    if (spans[i] > 0)
      scratch[used++] = spans[i];
  if (used == 0 || (used < FEW && last > 0))
    return last;
  qsort(scratch, used, sizeof *scratch, wi_compare_doubles);
  return scratch[used / USUAL_PART];
}

static double sum_up_to(const double *spans, uint32_t count, double longest) {
  double sum = 0;
  for (uint32_t i = 0; i < count; i++)
    sum += fmin(spans[i], longest);
  return sum;
}

/* The length to which the longest intervals must be cut for all to be as long as `sum`. */
static double find_longest(const double *spans, uint32_t count, double sum) {
  double low = 0, high = 0;
  for (uint32_t i = 0; i < count; i++)
    high = fmax(high, spans[i]);
  for (unsigned i = 0; i < HALVINGS; i++) {
    double middle = (low + high) / 2;
    *(sum_up_to(spans, count, middle) < sum ? &low : &high) = middle;
  }
  return high;
}

void wi_v8_find_lost(const double *spans, uint32_t count, double cpu, double usual, double *lost) {
  double working = sum_up_to(spans, count, INFINITY);
  bool is_lost = working - cpu >= LEAST_LOSS * working;
  double longest = is_lost ? fmax(usual, find_longest(spans, count, cpu)) : INFINITY;
  for (uint32_t i = 0; i < count; i++)
    lost[i] = spans[i] > LONG * usual ? fmax(0, spans[i] - longest) : 0;
}

/* ---- Intervals --------------------------------------------------------------------- */

static double span_at(const wi_v8_profile *profile, uint32_t i) {
  double span = i < profile->deltas_count ? profile->deltas[i] : 0;
  return span > 0 ? span : 0;
}

double *wi_v8_edges_of(const wi_v8_profile *profile, double begin) {
  uint32_t count = profile->samples_count;
  double *edges = calloc(count + (size_t)1, sizeof *edges), at = profile->start;
  if (!edges)
    return NULL;
  for (uint32_t i = 0; i < count; i++) {
    edges[i] = at + floor(span_at(profile, i) / 2);
    at += span_at(profile, i);
  }
  if (count > 0)
    edges[0] =
        fmax(profile->start, profile->start + span_at(profile, 0) - ceil(span_at(profile, 1) / 2));
  double last = at + ceil(span_at(profile, count > 0 ? count - 1 : 0) / 2);
  edges[count] = count == 1 ? profile->end : fmin(profile->end, last);
  if (count > 0)
    edges[count] = fmax(edges[count], edges[count - 1]);
  for (uint32_t i = 0; i <= count; i++)
    edges[i] = fmax(edges[i], begin);
  return edges;
}
