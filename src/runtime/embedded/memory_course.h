/* The course of allocations: how large they were, and the time line of live bytes. */
#ifndef WI_RUNTIME_EMBEDDED_MEMORY_COURSE_H_
#define WI_RUNTIME_EMBEDDED_MEMORY_COURSE_H_

#include <stdint.h>

/* An allocation of so many bytes. */
void embed_course_note_size(uint64_t size);

/* After the allocation of that number, when so many bytes are live. */
void embed_course_note_time(uint64_t allocation_count, uint64_t live_bytes);

/* The sections of both: their most bytes, and writing them. */
uint64_t embed_course_sections_size(void);
void embed_course_put_sections(uint64_t allocation_count);

/* Forgets all but the number of bytes that are live. */
void embed_course_reset(uint64_t live_bytes);

#endif /* WI_RUNTIME_EMBEDDED_MEMORY_COURSE_H_ */
