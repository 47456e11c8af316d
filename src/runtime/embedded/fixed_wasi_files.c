/* Of the host that is the same each time (fixed_wasi.c): facts of files and the order of directories. */
#include "runtime/embedded/arena.h"
#include "runtime/embedded/fixed_wasi.h"
#include "runtime/embedded/table.h"
#include "runtime/embedded/tree.h"
#include "runtime/wasi.h"

/* ---- Facts of files ---------------------------------------------------------- */

enum {
  STAT_DEVICE = 0,
  STAT_INODE = 8,
  STAT_TYPE = 16,
  STAT_LINKS = 24,
  STAT_LENGTH = 32,
  STAT_TIMES = 40, /* three */
  STAT_SIZE = 64,
  TYPE_FOLDER = 3
};

/* A file's number, in the order in which the program comes to see files. */
typedef struct file_number {
  uint32_t number; /* 0: a free entry */
  uint32_t unused;
  uint64_t host_inode;
} file_number;

EMBED_TABLE_INLINE uint32_t hash_of(uint64_t inode) {
  return (uint32_t)(inode * UINT64_C(0x9E3779B97F4A7C15) >> 32);
}

EMBED_TABLE_INLINE uint32_t number_hash(const void *entry) {
  return hash_of(((const file_number *)entry)->host_inode);
}

EMBED_TABLE_INLINE bool is_of(const void *entry, const void *inode) {
  return ((const file_number *)entry)->host_inode == *(const uint64_t *)inode;
}

static const embed_table_kind number_kind = {.entry_size = sizeof(file_number),
                                             .first_capacity = 64,
                                             .max_capacity = 1u << 24,
                                             .hash = number_hash,
                                             .is = is_of};
static embed_table numbers;

/* The number in place of the host's; 0 if memory is short. */
static uint64_t inode_of(uint64_t host_inode) {
  if (!embed_table_reserve(&numbers, &number_kind))
    return 0;
  file_number *place = embed_table_place(&numbers, &number_kind, hash_of(host_inode), &host_inode);
  if (embed_table_is_free(place))
    *place = (file_number){.number = ++numbers.count, .host_inode = host_inode};
  return place->number;
}

static uint32_t fix_stat(uint32_t result, int error) {
  if (error != 0)
    return (uint32_t)error;
  put_long(result + STAT_DEVICE, 1);
  put_long(result + STAT_INODE, inode_of(long_at(result + STAT_INODE)));
  put_long(result + STAT_LINKS, 1);
  if ((program_u32(result + STAT_TYPE) & UINT8_MAX) == TYPE_FOLDER)
    put_long(result + STAT_LENGTH, 0);
  for (uint32_t at = STAT_TIMES; at < STAT_SIZE; at += 8)
    put_long(result + at, START_TIME);
  return 0;
}

EMBED_EXPORT(fixed_fd_filestat_get)
uint32_t embed_fixed_fd_filestat_get(uint32_t fd, uint32_t result) {
  if (!embed_is_stream(fd))
    return fix_stat(result, wasi_fd_filestat_get(fd, result));
  for (uint32_t at = 0; at < STAT_SIZE; at += 8)
    put_long(result + at, 0);
  return 0;
}

EMBED_EXPORT(fixed_path_filestat_get)
uint32_t embed_fixed_path_filestat_get(uint32_t fd, uint32_t flags, uint32_t path, uint32_t size,
                                       uint32_t result) {
  return fix_stat(result, wasi_path_filestat_get(fd, flags, path, size, result));
}

/* ---- Directories --------------------------------------------------------------- */

enum { ENTRY_NEXT = 0, ENTRY_INODE = 8, ENTRY_NAME_SIZE = 16, ENTRY_SIZE = 24 };

/* What a directory has, in our memory: entries as WASI has them, then the address of each. */
typedef struct entries {
  uint32_t start, size, count;
} entries;

static uint32_t name_size(uint32_t entry) {
  return *embed_word_at(entry + ENTRY_NAME_SIZE);
}

static bool is_link_up(uint32_t entry) {
  const char *name = (const char *)(entry + ENTRY_SIZE);
  uint32_t size = name_size(entry);
  return size > 0 && size <= 2 && name[0] == '.' && name[size - 1] == '.';
}

/* Whether a's name comes before b's. */
static bool is_before(uint32_t a, uint32_t b) {
  const unsigned char *name_a = (const unsigned char *)(a + ENTRY_SIZE);
  const unsigned char *name_b = (const unsigned char *)(b + ENTRY_SIZE);
  uint32_t size_a = name_size(a), size_b = name_size(b);
  for (uint32_t i = 0; i < size_a && i < size_b; i++)
    if (name_a[i] != name_b[i])
      return name_a[i] < name_b[i];
  return size_a < size_b;
}

/*
 * Adds the entries of `used` bytes at `at`, in our memory; the last may be cut off. Returns where
 * reading goes on, or UINT64_MAX if no entry is whole. Entries are moved to addresses that words can
 * be read from.
 */
static uint64_t take_entries(entries *all, uint32_t at, uint32_t used) {
  uint64_t next = UINT64_MAX;
  while (used >= ENTRY_SIZE) {
    unsigned char *to = (unsigned char *)(all->start + all->size);
    for (uint32_t i = 0; i < ENTRY_SIZE; i++)
      to[i] = ((const unsigned char *)at)[i];
    uint32_t size = name_size((uint32_t)to);
    if (size > used - ENTRY_SIZE)
      break;
    for (uint32_t i = ENTRY_SIZE; i < ENTRY_SIZE + size; i++)
      to[i] = ((const unsigned char *)at)[i];
    next = *(const uint64_t *)(to + ENTRY_NEXT);
    at += ENTRY_SIZE + size;
    used -= ENTRY_SIZE + size;
    if (is_link_up((uint32_t)to))
      continue;
    all->size += embed_aligned(ENTRY_SIZE + size);
    all->count++;
  }
  return next;
}

/* Reads all entries through the program's own buffer. False: it is too small for one of them. */
static bool read_entries(uint32_t fd, uint32_t buffer, uint32_t size, uint32_t result, entries *all,
                         int *error) {
  uint64_t next = 0;
  *all = (entries){.start = embed_scratch() + (uint32_t)sizeof(embed_node)}; /* see keep */
  for (;;) {
    *error = wasi_fd_readdir(fd, buffer, size, next, result);
    uint32_t used = *error == 0 ? program_u32(result) : 0;
    uint64_t growth = used + (uint64_t)used / ENTRY_SIZE * EMBED_ALIGNMENT + ENTRY_SIZE;
    uint32_t room = embed_aligned(all->size + (uint32_t)growth);
    if (*error != 0 || used == 0)
      return *error == 0;
    if (used > size || !embed_reserve((uint64_t)all->start + room + used))
      return false;
    copy_from_program((void *)(all->start + room), buffer, used);
    next = take_entries(all, all->start + room, used);
    if (used < size)
      return true;
    if (next == UINT64_MAX)
      return false;
  }
}

/* The addresses of the entries, in order of their names; NULL: memory is short. Shell's sort. */
static uint32_t *sort_entries(const entries *all) {
  uint32_t table = embed_aligned(all->start + all->size), at = all->start;
  if (!embed_reserve((uint64_t)table + 4ull * all->count))
    return NULL;
  uint32_t *sorted = embed_word_at(table);
  for (uint32_t i = 0; i < all->count; i++) {
    sorted[i] = at;
    at += embed_aligned(ENTRY_SIZE + name_size(at));
  }
  for (uint32_t gap = all->count / 2; gap > 0; gap /= 2)
    for (uint32_t i = gap; i < all->count; i++) {
      uint32_t entry = sorted[i], to = i;
      for (; to >= gap && is_before(entry, sorted[to - gap]); to -= gap)
        sorted[to] = sorted[to - gap];
      sorted[to] = entry;
    }
  return sorted;
}

/* Entries go by their place in that order; the last one that fits is cut off, as WASI has it. */
static void put_entries(const uint32_t *sorted, uint32_t count, uint64_t first, uint32_t buffer,
                        uint32_t size, uint32_t result) {
  uint32_t used = 0;
  for (uint64_t i = first; i < count && used < size; i++) {
    uint32_t entry = sorted[i], entry_size = ENTRY_SIZE + name_size(entry);
    *(uint64_t *)(entry + ENTRY_NEXT) = i + 1;
    *(uint64_t *)(entry + ENTRY_INODE) = 0; /* unknown, as in Node's WASI; stat has it */
    uint32_t part = entry_size < size - used ? entry_size : size - used;
    copy_to_program(buffer + used, (const void *)entry, part);
    used += part;
  }
  put_word(result, used);
}

/* The entries of a directory, as they were when the program began to read it. */
typedef struct listing {
  uint32_t fd;
  uint32_t count;
  uint32_t *sorted;         /* NULL: none */
  uint32_t start, capacity; /* its memory */
} listing;

/*
 * Gives a listing memory of its own. `all` and `sorted` are at the end of the arena. They are copied
 * to the memory that the listing has, or the arena grows to include them. If it cannot, they stay
 * valid until the next new node.
 */
static void keep(listing *of, const entries *all, uint32_t *sorted) {
  uint32_t size = (uint32_t)(sorted + all->count) - all->start;
  of->sorted = sorted;
  of->count = all->count;
  if (size > of->capacity) {
    of->start = embed_allocate_gap(2 * size, 0);
    of->capacity = of->start != 0 ? 2 * size : 0;
    return;
  }
  for (uint32_t i = 0; i < all->count; i++)
    sorted[i] += of->start - all->start;
  for (uint32_t i = 0; i < size; i += (uint32_t)sizeof(uint32_t))
    *embed_word_at(of->start + i) = *embed_word_at(all->start + i);
  of->sorted = embed_word_at(of->start + ((uint32_t)sorted - all->start));
}

/*
 * A directory is read when the program begins to, and when it goes on in one that is not kept. So
 * entries that it removes or adds meanwhile move no others, and large directories take no longer.
 */
EMBED_EXPORT(fixed_fd_readdir)
uint32_t embed_fixed_fd_readdir(uint32_t fd, uint32_t buffer, uint32_t size, uint64_t next,
                                uint32_t result) {
  enum { KEPT_COUNT = 16 };
  static listing kept[KEPT_COUNT];
  listing *of = &kept[fd % KEPT_COUNT];
  if (next == 0 || of->fd != fd || !of->sorted || of->capacity == 0) {
    static entries all;
    static int error;
    error = 0;
    uint32_t *sorted =
        read_entries(fd, buffer, size, result, &all, &error) ? sort_entries(&all) : NULL;
    of->sorted = NULL;
    if (error != 0)
      return (uint32_t)error;
    if (!sorted)
      return WASI_ERRNO_NOMEM;
    of->fd = fd;
    keep(of, &all, sorted);
  }
  put_entries(of->sorted, of->count, next, buffer, size, result);
  return 0;
}
