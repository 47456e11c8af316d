/* Shared by the parts that rewrite debug information: see debug.h. */
#ifndef WI_REWRITE_DEBUG_CONTEXT_H_
#define WI_REWRITE_DEBUG_CONTEXT_H_

#include "debug/dwarf.h"
#include "rewrite/offset_map.h"

typedef enum wi_debug_fate {
  WI_DEBUG_COPIED, /* unchanged from the input */
  WI_DEBUG_REWRITTEN,
  WI_DEBUG_DROPPED
} wi_debug_fate;

/* Something that moved within its section. */
typedef struct wi_debug_move {
  uint32_t from;
  uint32_t to;
} wi_debug_move;

typedef struct wi_debug_moves {
  WI_ARRAY(wi_debug_move, items); /* in increasing order of `from` */
} wi_debug_moves;

/* The properties of a unit that its lists depend on. */
typedef struct wi_debug_unit {
  uint64_t base; /* the unit's low_pc in the input */
  uint64_t address_base;
  uint64_t list_bases[2]; /* in .debug_rnglists and .debug_loclists; 0: none */
  uint8_t version;
  uint8_t address_size;
  uint8_t offset_size;
} wi_debug_unit;

#define WI_DEBUG_NO_UNIT  UINT32_MAX
#define WI_DEBUG_NO_FIELD UINT32_MAX

/* A field in .debug_info or .debug_types that points to something that may move. */
typedef struct wi_debug_reference {
  uint32_t target; /* offset in the other section */
  uint32_t field;  /* offset of the field, or WI_DEBUG_NO_FIELD if an index refers to the target */
  uint32_t unit;   /* index in wi_debug.units, or WI_DEBUG_NO_UNIT */
  uint8_t size;    /* bytes of the field */
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

/* Dropped parts of a section. */
typedef struct wi_debug_loss {
  uint32_t count;
  char reason[sizeof((wi_error *)0)->message]; /* of the first one */
} wi_debug_loss;

typedef struct wi_debug {
  const wi_offset_map *map; /* borrowed */
  uint32_t hint;            /* for lookups in the map */
  wi_dwarf_sections in;
  wi_buffer out[WI_DWARF_SECTION_COUNT]; /* the rewritten sections */
  wi_debug_fate fate[WI_DWARF_SECTION_COUNT];
  wi_debug_loss losses[WI_DWARF_SECTION_COUNT];
  wi_debug_moves lines;                                   /* moved line tables */
  wi_debug_references references[WI_DWARF_SECTION_COUNT]; /* to lists, by section of the list */
  wi_debug_references bases[WI_DWARF_SECTION_COUNT];      /* to tables of lists, likewise */
  WI_ARRAY(wi_debug_unit, units);
  WI_ARRAY(wi_debug_slot, slots);
  uint32_t split_units;      /* units with another part in a .dwo or .dwp file */
  uint32_t empty_line_table; /* 1 + offset of the one that was added; 0: none */
  bool failed;               /* out of memory */
} wi_debug;

/* Whether the address is in the input's code or just past its end, and not a tombstone. */
static inline bool wi_debug_is_code(const wi_debug *debug, uint64_t address) {
  return address >= debug->map->first && address <= debug->map->end;
}

/* Addresses from here on are tombstones, or close to one. */
#define WI_DEBUG_TOMBSTONES (UINT32_MAX - (1u << 24))

/*
 * Maps an address of code. Other addresses stay, but an address past the end of the code stays past
 * the end: tools that track only part of what they move leave such addresses.
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
 * Maps a size: that of the range at `start`. Either end may be outside of the code, because
 * Binaryen leaves ranges of which it lost one end, and what they cover must not change.
 */
static inline uint64_t wi_debug_size(wi_debug *debug, uint64_t start, uint64_t size) {
  if (start + size < start)
    return size;
  return wi_debug_address(debug, start + size) - wi_debug_address(debug, start);
}

/* The largest number with that many bytes. */
static inline uint64_t wi_debug_mask(unsigned size) {
  return size >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * size) - 1;
}

/* Counts a dropped part of a section; `error` has the reason. */
void wi_debug_lose(wi_debug *debug, wi_dwarf_section section, const wi_error *error);

void wi_debug_drop(wi_debug *debug, wi_dwarf_section section, const wi_error *error);

/* Copies a section in order to patch it. Returns false if out of memory. */
bool wi_debug_copy(wi_debug *debug, wi_dwarf_section section);

void wi_debug_move_add(wi_debug *debug, wi_debug_moves *moves, uint32_t from, uint32_t to);

/* Returns the move that starts exactly at `from`, or NULL. */
const wi_debug_move *wi_debug_move_find(const wi_debug_moves *moves, uint64_t from);

/*
 * Records that entry `index` of the unit's part in .debug_addr is a code address. Returns the
 * address, or 0 if there is no such entry.
 */
uint64_t wi_debug_indexed(wi_debug *debug, const wi_debug_unit *unit, uint64_t index);

/* Updates the fields with the new positions of their targets. */
void wi_debug_patch(wi_debug *debug, const wi_debug_references *references,
                    const wi_debug_moves *moves);

/* Sorts references by target. */
void wi_debug_sort(wi_debug_references *references);

void wi_debug_uleb(wi_buffer *out, uint64_t value);
void wi_debug_fixed(wi_buffer *out, unsigned size, uint64_t value);

#endif /* WI_REWRITE_DEBUG_CONTEXT_H_ */
