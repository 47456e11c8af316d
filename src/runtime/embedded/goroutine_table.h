/* The goroutines of a program, by an address that is unique while they live. */
#ifndef WI_RUNTIME_EMBEDDED_GOROUTINE_TABLE_H_
#define WI_RUNTIME_EMBEDDED_GOROUTINE_TABLE_H_

#include <stdint.h>

typedef struct embed_goroutine {
  uint32_t address; /* of the program's record for it, which is reused; 0: a free entry */
  uint32_t node;
  uint32_t state; /* defined by the caller */
} embed_goroutine;

/*
 * NULL if it is unknown, or if there was no room: then calls are still right, but callers are not.
 */
embed_goroutine *embed_find_goroutine(uint32_t address);

/* Adds the goroutine, or changes the one with that address. */
void embed_keep_goroutine(uint32_t address, uint32_t node, uint32_t state);

#endif /* WI_RUNTIME_EMBEDDED_GOROUTINE_TABLE_H_ */
