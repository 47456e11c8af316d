/* The goroutines of a program, by an address that tells them apart while they live. */
#ifndef WI_RUNTIME_EMBEDDED_GOROUTINE_TABLE_H_
#define WI_RUNTIME_EMBEDDED_GOROUTINE_TABLE_H_

#include <stdint.h>

typedef struct embed_goroutine {
  uint32_t address; /* of the program's own record of it, which is used again; 0: a free place */
  uint32_t node;
  uint32_t state; /* what it means is for who keeps it */
} embed_goroutine;

/* NULL: there is no such goroutine, or no room for it: calls stay right, but not who called. */
embed_goroutine *embed_find_goroutine(uint32_t address);

/* Adds it, or changes the one of that address. */
void embed_keep_goroutine(uint32_t address, uint32_t node, uint32_t state);

#endif /* WI_RUNTIME_EMBEDDED_GOROUTINE_TABLE_H_ */
