/* Writes a .wperf file into memory that the caller has reserved. */
#ifndef WI_RUNTIME_EMBEDDED_FILE_H_
#define WI_RUNTIME_EMBEDDED_FILE_H_

#include <stdint.h>

enum { SECTION_HEAD_SIZE = 16, FACT_SIZE = 16 }; /* in bytes; of a fact that is a number */

void embed_file_begin(uint32_t address);

/* Address of the next byte; and skipping bytes that the caller writes. */
uint32_t embed_file_end(void);
void embed_file_skip(uint32_t size);

/* Bytes are padded to EMBED_ALIGNMENT; text is not. */
void embed_put_bytes(const void *bytes, uint32_t size);
void embed_put_text(const void *bytes, uint32_t size);
void embed_put_padding(void);
void embed_put_u32(uint32_t value);
void embed_put_u64(uint64_t value);
void embed_put_section(uint32_t id, uint32_t size); /* writes its head */
void embed_put_fact(uint32_t key, uint64_t value);

#endif /* WI_RUNTIME_EMBEDDED_FILE_H_ */
