#include "report/formats/firefox/allocations.h"

#include <inttypes.h>
#include <stdlib.h>

#include "report/model/heap.h"

#define ROWS_PER_NODE 3u

/* A block is allocated or, with a negative weight, freed. */
typedef struct allocation {
  uint32_t stack;
  uint32_t address; /* identifies the block */
  int64_t weight;   /* in bytes */
} allocation;

typedef struct allocations {
  allocation *rows; /* owned */
  uint32_t count;
  uint32_t block_count;
} allocations;

static int64_t weight_of(uint64_t bytes) {
  return bytes < INT64_MAX ? (int64_t)bytes : INT64_MAX;
}

static void add(allocations *all, uint32_t stack, int64_t weight) {
  all->rows[all->count++] = (allocation){stack, all->block_count, weight};
}

static void add_node(allocations *all, uint32_t stack, const uint64_t *values) {
  uint64_t live = values[WASM_PERF_MEASURE_LIVE_BYTES];
  uint64_t allocated = values[WASM_PERF_MEASURE_ALLOCATED_BYTES];
  if (live > 0) {
    all->block_count++;
    add(all, stack, weight_of(live));
  }
  if (allocated > live) {
    all->block_count++;
    add(all, stack, weight_of(allocated - live));
    add(all, stack, -weight_of(allocated - live));
  }
}

static bool list(allocations *all, const wi_report *report) {
  const wi_tree *tree = report->tree;
  wi_heap heap;
  if (!wi_heap_init(&heap, report->profile, tree))
    return false;
  all->rows = calloc((size_t)heap.count * ROWS_PER_NODE + 1, sizeof *all->rows);
  for (uint32_t i = 1; all->rows && i < tree->node_count; i++) {
    const uint64_t *values = wi_heap_values(&heap, i);
    if (values)
      add_node(all, i - 1, values);
  }
  wi_heap_clear(&heap);
  return all->rows != NULL;
}

static void write_column(wi_json *json, const allocations *all, const char *key,
                         int64_t (*value)(const allocation *)) {
  wi_json_open(json, key, '[');
  for (uint32_t i = 0; i < all->count && !wi_json_failed(json); i++) {
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, value(&all->rows[i]));
    wi_json_literal(json, NULL, text);
  }
  wi_json_close(json, ']');
}

static int64_t zero(const allocation *row) {
  (void)row;
  return 0;
}

static int64_t thread(const allocation *row) {
  (void)row;
  return 1;
}

static int64_t stack(const allocation *row) {
  return row->stack;
}

static int64_t address(const allocation *row) {
  return row->address;
}

static int64_t weight(const allocation *row) {
  return row->weight;
}

bool wi_firefox_write_allocations(wi_json *json, const wi_report *report) {
  allocations all = {0};
  if (!report->profile->follows_memory)
    return true;
  if (!list(&all, report))
    return false;
  wi_json_open(json, "nativeAllocations", '{');
  wi_json_integer(json, "length", all.count);
  wi_json_string(json, "weightType", "bytes");
  write_column(json, &all, "time", zero); /* unknown */
  write_column(json, &all, "weight", weight);
  write_column(json, &all, "stack", stack);
  write_column(json, &all, "memoryAddress", address);
  write_column(json, &all, "threadId", thread);
  wi_json_close(json, '}');
  free(all.rows);
  return true;
}
