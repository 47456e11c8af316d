/*
 * Allocates in all ways that C has, right and wrong, and keeps its own accounts of it: for each of
 * its functions ask_* what that has allocated, resized, freed at once, holds at the end and held
 * when the most was held. Prints them as JSON. The same natively, where massif looks on.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/random.h"

#define NOINLINE __attribute__((noinline))

enum { SMALL, ZEROED, ALIGNED, GROWN, SITE_COUNT };
static const char *const names[SITE_COUNT] = {"ask_small", "ask_zeroed", "ask_aligned",
                                              "ask_grown"};

typedef struct account {
  uint64_t allocated_objects, allocated_bytes, resized_objects, temporary_objects;
  uint64_t live_objects, live_bytes, peak_objects, peak_bytes;
} account;

typedef struct block {
  void *address;
  uint64_t size;
  uint64_t number; /* of the allocation */
  int site;
} block;

enum { MAX_BLOCKS = 4096 };
static account accounts[SITE_COUNT];
static block blocks[MAX_BLOCKS];
static unsigned block_count;
static uint64_t number, live, peak, peak_number;
enum { SIZE_COUNT = 32 };
static uint64_t sizes[SIZE_COUNT]; /* by the number of bits that a size has */

static void note_peak(void) {
  if (live <= peak)
    return;
  peak = live;
  peak_number = number;
  for (int i = 0; i < SITE_COUNT; i++) {
    accounts[i].peak_objects = accounts[i].live_objects;
    accounts[i].peak_bytes = accounts[i].live_bytes;
  }
}

static void hold(int site, void *address, uint64_t size) {
  blocks[block_count++] = (block){address, size, number, site};
  accounts[site].live_objects++;
  accounts[site].live_bytes += size;
  live += size;
  note_peak();
}

static void note_allocated(int site, void *address, uint64_t size) {
  if (!address)
    return;
  number++;
  sizes[size == 0 ? 0 : 64 - __builtin_clzll(size)]++;
  accounts[site].allocated_objects++;
  accounts[site].allocated_bytes += size;
  hold(site, address, size);
}

static block take(void *address) {
  for (unsigned i = 0; i < block_count; i++)
    if (blocks[i].address == address) {
      block found = blocks[i];
      blocks[i] = blocks[--block_count];
      accounts[found.site].live_objects--;
      accounts[found.site].live_bytes -= found.size;
      live -= found.size;
      return found;
    }
  abort();
}

static void note_freed(void *address) {
  if (!address)
    return;
  block gone = take(address);
  accounts[gone.site].temporary_objects += gone.number == number;
}

static void note_resized(int site, void *old, void *address, uint64_t size) {
  if (!old) {
    note_allocated(site, address, size);
  } else if (!address) {
    if (size == 0)
      note_freed(old);
  } else {
    block before = take(old);
    number++;
    accounts[site].resized_objects++;
    if (size > before.size)
      accounts[site].allocated_bytes += size - before.size;
    hold(site, address, size);
  }
}

/* ---- The ways ------------------------------------------------------------ */

static NOINLINE void *ask_small(size_t size) {
  void *volatile address = malloc(size); /* or the compiler takes it away */
  note_allocated(SMALL, address, size);
  return address;
}

static NOINLINE void *ask_zeroed(size_t count, size_t size) {
  void *volatile address = calloc(count, size);
  note_allocated(ZEROED, address, (uint64_t)count * size);
  return address;
}

static NOINLINE void *ask_aligned(size_t alignment, size_t size) {
  void *address = NULL;
  if (posix_memalign(&address, alignment, size) != 0)
    return NULL;
  note_allocated(ALIGNED, address, size);
  return address;
}

static NOINLINE void *ask_grown(void *old, size_t size) {
  void *volatile address = realloc(old, size);
  note_resized(GROWN, old, address, size);
  return address ? address : size == 0 ? NULL : old;
}

static NOINLINE void give_back(void *address) {
  note_freed(address);
  free(address);
}

/* ---- The run ------------------------------------------------------------- */

#ifdef CALM /* massif forgets a block whose realloc fails */
enum { FAILS_TO_RESIZE = 0 };
#else
enum { FAILS_TO_RESIZE = 1 };
#endif

static NOINLINE void try_corners(void) {
  volatile size_t huge = SIZE_MAX / 2 - 100;
  give_back(ask_small(0));
  give_back(NULL);
  if (ask_small(huge) || ask_zeroed(huge, 16) || ask_aligned(3, 100) || ask_aligned(64, huge))
    abort();
  void *kept = ask_grown(NULL, 500);
  if (FAILS_TO_RESIZE && ask_grown(kept, huge) != kept) /* the block stays */
    abort();
  kept = ask_grown(kept, 499); /* in place */
  kept = ask_grown(kept, 70000);
  kept = ask_grown(kept, 20);
  ask_grown(ask_small(30), 0); /* frees it, or leaves a block of 0 bytes */
  give_back(kept);
  give_back(ask_zeroed(10, 10));
  give_back(ask_aligned(256, 1000));
}

#ifndef KEPT
#define KEPT 300
#endif
enum { STEPS = 20000 };

static NOINLINE void churn(void) {
  static void *kept[KEPT];
  for (int step = 0; step < STEPS; step++) {
    void **place = &kept[random_below(KEPT)];
    uint32_t size = 1 + random_below(step < STEPS / 2 ? 3000 : 500);
    switch (random_below(5)) {
    case 0: give_back(*place), *place = ask_small(size); break;
    case 1: give_back(*place), *place = ask_zeroed(1 + size / 8, 8); break;
    case 2: give_back(*place), *place = ask_aligned(16u << random_below(4), size); break;
    case 3: *place = ask_grown(*place, size); break;
    default: give_back(*place), *place = NULL;
    }
  }
}

/* The peak ends with a free: massif overlooks one that a smaller realloc ends. */
static NOINLINE void climb(void) {
  void *first = ask_small(600000);
  void *second = ask_grown(ask_zeroed(1000, 10), 90000);
  give_back(first);
  give_back(second);
}

int main(void) {
  try_corners();
  churn();
  climb();
  printf("{\"peak_allocation\":%llu,\"sizes\":[%llu", (unsigned long long)peak_number,
         (unsigned long long)sizes[0]);
  for (int i = 1; i < SIZE_COUNT; i++)
    printf(",%llu", (unsigned long long)sizes[i]);
  printf("]");
  for (int i = 0; i < SITE_COUNT; i++) {
    const account *a = &accounts[i];
    printf(",\"%s\":[%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu]", names[i],
           (unsigned long long)a->allocated_objects, (unsigned long long)a->allocated_bytes,
           (unsigned long long)a->resized_objects, (unsigned long long)a->temporary_objects,
           (unsigned long long)a->live_objects, (unsigned long long)a->live_bytes,
           (unsigned long long)a->peak_objects, (unsigned long long)a->peak_bytes);
  }
  printf("}\n");
  return 0;
}
