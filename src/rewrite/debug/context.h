/* What the parts that rewrite debug information share: see debug.h. */
#ifndef WI_REWRITE_DEBUG_CONTEXT_H_
#define WI_REWRITE_DEBUG_CONTEXT_H_

#include "debug/dwarf.h"
#include "rewrite/offset_map.h"

typedef enum wi_debug_fate {
  WI_DEBUG_COPIED, /* as it stands in the input */
  WI_DEBUG_REWRITTEN,
  WI_DEBUG_DROPPED
} wi_debug_fate;

/* Where something moved within its section. */
typedef struct wi_debug_move {
  uint32_t from;
  uint32_t to;
} wi_debug_move;

typedef struct wi_debug_moves {
  WI_ARRAY(wi_debug_move, items); /* by increasing `from` */
} wi_debug_moves;

/* What the lists of a unit depend on. */
typedef struct wi_debug_unit {
  uint64_t base; /* the unit's low_pc in the input */
  uint64_t address_base;
  uint64_t list_bases[2]; /* of .debug_rnglists and .debug_loclists; 0: none */
  uint8_t version;
  uint8_t address_size;
  uint8_t offset_size;
} wi_debug_unit;

#define WI_DEBUG_NO_UNIT  UINT32_MAX
#define WI_DEBUG_NO_FIELD UINT32_MAX

/* A field of .debug_info or .debug_types that points to something that may move. */
typedef struct wi_debug_reference {
  uint32_t target; /* offset in the other section */
  uint32_t field;  /* offset of the field, or WI_DEBUG_NO_FIELD where an index does it */
  uint32_t unit;   /* into wi_debug.units, or WI_DEBUG_NO_UNIT */
  uint8_t size;    /* of the field */
  bool types;      /* the field is in .debug_types */
} wi_debug_reference;

typedef struct wi_debug_references {
  WI_ARRAY(wi_debug_reference, items);
} wi_debug_references;

/* A code address in .debug_addr. */
typedef struct wi_debug_slot {
  uint32_t offset;
  uint32_t size;
} wi_debug_slot;

/* What was dropped of a section. */
typedef struct wi_debug_loss {
  uint32_t count;
  char reason[sizeof((wi_error *)0)->message]; /* of the first */
} wi_debug_loss;

typedef struct wi_debug {
  const wi_offset_map *map; /* borrowed */
  uint32_t hint;            /* for the map */
  wi_dwarf_sections in;
  wi_buffer out[WI_DWARF_SECTION_COUNT]; /* of those that are rewritten */
  wi_debug_fate fate[WI_DWARF_SECTION_COUNT];
  wi_debug_loss losses[WI_DWARF_SECTION_COUNT];
  wi_debug_moves lines;                                   /* of line tables */
  wi_debug_references references[WI_DWARF_SECTION_COUNT]; /* to lists, by their section */
  wi_debug_references bases[WI_DWARF_SECTION_COUNT];      /* to tables of lists */
  WI_ARRAY(wi_debug_unit, units);
  WI_ARRAY(wi_debug_slot, slots);
  uint32_t split_units;      /* whose other part is in a file that is not at hand */
  uint32_t empty_line_table; /* where one was added, else 0 */
  bool failed;               /* memory ran out */
} wi_debug;

/* Whether the address is in the input's code, or its end, and not a tombstone. */
static inline bool wi_debug_is_code(const wi_debug *debug, uint64_t address) {
  return address >= debug->map->first && address <= debug->map->end;
}

/* From here on addresses are tombstones, or next to one. */
#define WI_DEBUG_TOMBSTONES (UINT32_MAX - (1u << 24))

/*
 * The new address of code. Any other stays as it is, but one past the end of the code stays past
 * the end: tools leave such addresses where they follow only some of what they move.
 */
static inline uint64_t wi_debug_address(wi_debug *debug, uint64_t address) {
  const wi_offset_map *map = debug->map;
  if (wi_debug_is_code(debug, address))
    return wi_offset_map_find(map, (uint32_t)address, &debug->hint);
  uint32_t growth = map->output_size > map->end ? map->output_size - map->end : 0;
  bool is_past = address > map->end && address < WI_DEBUG_TOMBSTONES - growth;
  return is_past ? address + growth : address;
}

/*
 * The new size of what begins at `start` and is `size` bytes long. Either end may be no code's:
 * Binaryen leaves ranges of which it lost one end, and what they cover must not change.
 */
static inline uint64_t wi_debug_size(wi_debug *debug, uint64_t start, uint64_t size) {
  if (start + size < start)
    return size;
  return wi_debug_address(debug, start + size) - wi_debug_address(debug, start);
}

/* The largest number of that many bytes. */
static inline uint64_t wi_debug_mask(unsigned size) {
  return size >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * size) - 1;
}

/* Counts something that is dropped of a section, for the reason in `error`. */
void wi_debug_lose(wi_debug *debug, wi_dwarf_section section, const wi_error *error);

void wi_debug_drop(wi_debug *debug, wi_dwarf_section section, const wi_error *error);

/* Begins to rewrite a section with a copy of it. */
bool wi_debug_copy(wi_debug *debug, wi_dwarf_section section);

void wi_debug_move_add(wi_debug *debug, wi_debug_moves *moves, uint32_t from, uint32_t to);

/* The move from exactly there, or NULL. */
const wi_debug_move *wi_debug_move_find(const wi_debug_moves *moves, uint64_t from);

/* Notes that an address of code stands at `index` of the unit's part of .debug_addr. Gives the
 * address, or 0 where there is none. */
uint64_t wi_debug_indexed(wi_debug *debug, const wi_debug_unit *unit, uint64_t index);

/* Sets the fields to where what they refer to is now. */
void wi_debug_patch(wi_debug *debug, const wi_debug_references *references,
                    const wi_debug_moves *moves);

/* Sorts references by target. */
void wi_debug_sort(wi_debug_references *references);

void wi_debug_uleb(wi_buffer *out, uint64_t value);
void wi_debug_fixed(wi_buffer *out, unsigned size, uint64_t value);

#endif /* WI_REWRITE_DEBUG_CONTEXT_H_ */
