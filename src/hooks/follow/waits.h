/* Functions that wait for other threads, in which samples are no work. */
#ifndef WI_HOOKS_FOLLOW_WAITS_H_
#define WI_HOOKS_FOLLOW_WAITS_H_

#include "code/scan.h"
#include "support/buffer.h"

/* Zero it; clear it. */
typedef struct wi_waits {
  WI_ARRAY(uint32_t, functions); /* increasing */
} wi_waits;

/* The instructions that wait: memory.atomic.wait32 and wait64. */
void wi_waits_want(wi_scan_wants *wants);

/* Whether a WI_SITE_OPCODE is one. */
bool wi_waits_is(const wi_site *site);

/* Notes that a function has one; functions come in order. False: memory ran out. */
bool wi_waits_note(wi_waits *waits, uint32_t function);

/* As the fact `waiting` has them, where so many imports are added before all functions. */
void wi_waits_put(const wi_waits *waits, uint32_t import_count, wi_buffer *out);

void wi_waits_clear(wi_waits *waits);

#endif /* WI_HOOKS_FOLLOW_WAITS_H_ */
