/* Counts allocations by size, and keeps points of the time line; when there are too many, fewer. */
#include "runtime/embedded/memory_course.h"

#include "runtime/embedded/arena.h"
#include "runtime/embedded/file.h"
#include "wasm_perf/format.h"

#define SIZE_COUNT  65u  /* size classes by bit count: 0, then 1 to 64 bits */
#define POINT_COUNT 512u /* of the time line; must be even */

typedef struct point {
  uint64_t allocation;
  uint64_t bytes;
} point;

static uint64_t sizes[SIZE_COUNT];
static point *points; /* POINT_COUNT of them; NULL: none yet, or memory is short */
_Static_assert(sizeof sizes + POINT_COUNT * sizeof(point) < EMBED_FILE_MARGIN / 2,
               "the file has room for them");
static uint32_t point_count;
static uint64_t stride = 1, window_peak;

void embed_course_note_size(uint64_t size) {
  sizes[size == 0 ? 0 : 64 - (uint32_t)__builtin_clzll(size)]++;
}

/* Halves the number of points: each pair becomes its second point, with the larger value. */
static void thin_points(void) {
  for (uint32_t i = 0; i < POINT_COUNT / 2; i++) {
    points[i] = points[2 * i + 1];
    if (points[i].bytes < points[2 * i].bytes)
      points[i].bytes = points[2 * i].bytes;
  }
  point_count = POINT_COUNT / 2;
  stride *= 2;
}

void embed_course_note_time(uint64_t allocation_count, uint64_t live_bytes) {
  if (window_peak < live_bytes)
    window_peak = live_bytes;
  if ((allocation_count & (stride - 1)) != 0)
    return;
  if (!points)
    points = (point *)embed_allocate_gap(POINT_COUNT * sizeof(point), 0);
  if (!points)
    return;
  if (point_count == POINT_COUNT)
    thin_points();
  points[point_count++] = (point){allocation_count, window_peak};
  window_peak = live_bytes;
}

uint64_t embed_course_sections_size(void) {
  return 2 * SECTION_HEAD_SIZE + sizeof sizes + (POINT_COUNT + 1) * sizeof(point);
}

/* Includes what has happened since the last point. */
static void put_timeline(uint64_t allocation_count) {
  bool has_rest = (allocation_count & (stride - 1)) != 0;
  embed_put_section(WASM_PERF_SECTION_TIMELINE,
                    (point_count + has_rest) * (uint32_t)sizeof *points);
  embed_put_bytes(points, point_count * (uint32_t)sizeof *points);
  if (has_rest) {
    embed_put_u64(allocation_count);
    embed_put_u64(window_peak);
  }
}

void embed_course_put_sections(uint64_t allocation_count) {
  uint32_t size_count = SIZE_COUNT;
  while (size_count > 0 && sizes[size_count - 1] == 0)
    size_count--;
  embed_put_section(WASM_PERF_SECTION_SIZES, size_count * (uint32_t)sizeof *sizes);
  embed_put_bytes(sizes, size_count * (uint32_t)sizeof *sizes);
  put_timeline(allocation_count);
}

void embed_course_reset(uint64_t live_bytes) {
  for (uint32_t i = 0; i < SIZE_COUNT; i++)
    sizes[i] = 0;
  window_peak = live_bytes;
  point_count = 0;
  stride = 1;
}
