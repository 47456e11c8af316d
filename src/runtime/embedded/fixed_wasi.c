/*
 * A host that is the same each time: fixed_NAME takes the place of WASI's function NAME in a program
 * (hooks/embedded/fixed_host.h). Clock, random numbers, terminal, times of files and the order of
 * directories are made here; reads and writes are the host's, but end where their buffers do, as
 * hosts differ in how much of a list of buffers they take at once. Standard input is read in pieces.
 */
#include "runtime/embedded/fixed_wasi.h"

#include "runtime/embedded/arena.h"
#include "runtime/embedded/tree.h"
#include "runtime/wasi.h"

/* ---- The clock ------------------------------------------------------------ */

enum { STEP = 1000 }; /* what each look at the clock takes */

static uint64_t elapsed;

EMBED_EXPORT(fixed_clock_time_get)
uint32_t embed_fixed_clock_time_get(uint32_t clock, uint64_t precision, uint32_t result) {
  (void)precision;
  elapsed += STEP;
  put_long(result, clock == WASI_CLOCK_REALTIME ? START_TIME + elapsed : elapsed);
  return 0;
}

EMBED_EXPORT(fixed_clock_res_get)
uint32_t embed_fixed_clock_res_get(uint32_t clock, uint32_t result) {
  (void)clock;
  put_long(result, STEP);
  return 0;
}

/* WASI's subscription and event: where their fields are. */
enum {
  SUBSCRIPTION_SIZE = 48,
  SUBSCRIPTION_TYPE = 8,
  SUBSCRIPTION_CLOCK = 16,
  SUBSCRIPTION_TIMEOUT = 24,
  SUBSCRIPTION_FLAGS = 40,
  EVENT_SIZE = 32,
  EVENT_TYPE = 8, /* after an error of two bytes */
  TYPE_CLOCK = 0,
  IS_ABSOLUTE = 1
};

static uint32_t type_of(uint32_t subscription) {
  return program_u32(subscription + SUBSCRIPTION_TYPE) & UINT8_MAX;
}

/* When it is due, as `elapsed` counts. */
static uint64_t due_time(uint32_t subscription) {
  uint64_t timeout = long_at(subscription + SUBSCRIPTION_TIMEOUT);
  if (!(program_u32(subscription + SUBSCRIPTION_FLAGS) & IS_ABSOLUTE))
    return elapsed + timeout < elapsed ? UINT64_MAX : elapsed + timeout;
  if (program_u32(subscription + SUBSCRIPTION_CLOCK) == WASI_CLOCK_REALTIME)
    timeout = timeout > START_TIME ? timeout - START_TIME : 0;
  return timeout;
}

static void put_event(uint32_t event, uint32_t subscription) {
  put_long(event, long_at(subscription)); /* what the program calls it */
  put_word(event + EVENT_TYPE, type_of(subscription) << 16);
  put_word(event + EVENT_TYPE + 4, 0);
  put_long(event + 16, 1); /* bytes that can be read */
  put_long(event + 24, 0);
}

/* Files are always ready; without one the first clock is, and its time has come. */
EMBED_EXPORT(fixed_poll_oneoff)
uint32_t embed_fixed_poll_oneoff(uint32_t in, uint32_t out, uint32_t count, uint32_t result) {
  uint32_t ready = 0, first = in;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = in + i * SUBSCRIPTION_SIZE;
    if (type_of(at) != TYPE_CLOCK)
      put_event(out + ready++ * EVENT_SIZE, at);
    else if (type_of(first) == TYPE_CLOCK && due_time(at) < due_time(first))
      first = at;
  }
  if (ready == 0 && count > 0) {
    uint64_t due = due_time(first);
    elapsed = due > elapsed ? due : elapsed;
    put_event(out + ready++ * EVENT_SIZE, first);
  }
  put_word(result, ready);
  return count > 0 ? 0 : WASI_ERRNO_INVAL;
}

/* ---- Random numbers -------------------------------------------------------- */

/* Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014. */
static uint64_t next_random(void) {
  static uint64_t seed;
  uint64_t x = seed += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

EMBED_EXPORT(fixed_random_get)
uint32_t embed_fixed_random_get(uint32_t address, uint32_t size) {
  while (size > 0) {
    static uint64_t word;
    word = next_random();
    uint32_t part = size < sizeof word ? size : sizeof word;
    copy_to_program(address, &word, part);
    address += part;
    size -= part;
  }
  return 0;
}

/* ---- The three streams ----------------------------------------------------- */

/* Neither a terminal nor a file that could be sought in. */
EMBED_EXPORT(fixed_fd_fdstat_get)
uint32_t embed_fixed_fd_fdstat_get(uint32_t fd, uint32_t result) {
  enum { ALL_RIGHTS = (1 << 30) - 1, SEEK = 1 << 2, TELL = 1 << 5 };
  if (!embed_is_stream(fd))
    return (uint32_t)wasi_fd_fdstat_get(fd, result);
  put_long(result, 0);
  put_long(result + 8, ALL_RIGHTS & ~(SEEK | TELL));
  put_long(result + 16, 0);
  return 0;
}

EMBED_EXPORT(fixed_fd_fdstat_set_flags)
uint32_t embed_fixed_fd_fdstat_set_flags(uint32_t fd, uint32_t flags) {
  return embed_is_stream(fd) ? 0 : (uint32_t)wasi_fd_fdstat_set_flags(fd, flags);
}

EMBED_EXPORT(fixed_fd_seek)
uint32_t embed_fixed_fd_seek(uint32_t fd, uint64_t by, uint32_t from, uint32_t result) {
  return embed_is_stream(fd) ? WASI_ERRNO_SPIPE : (uint32_t)wasi_fd_seek(fd, by, from, result);
}

EMBED_EXPORT(fixed_fd_tell)
uint32_t embed_fixed_fd_tell(uint32_t fd, uint32_t result) {
  return embed_is_stream(fd) ? WASI_ERRNO_SPIPE : (uint32_t)wasi_fd_tell(fd, result);
}

/* ---- Reading and writing -------------------------------------------------------- */

#define ALWAYS_INLINE inline __attribute__((always_inline)) /* no pointer to a function is left */

/* Moves bytes between one buffer of the program and a file; returns WASI's error. */
typedef int transfer(uint32_t fd, uint32_t vector, uint64_t offset, uint32_t result);

static int read_part(uint32_t fd, uint32_t vector, uint64_t offset, uint32_t result) {
  (void)offset;
  return wasi_fd_read(fd, vector, 1, result);
}

static int write_part(uint32_t fd, uint32_t vector, uint64_t offset, uint32_t result) {
  (void)offset;
  return wasi_fd_write(fd, (const wasi_bytes *)vector, 1, (uint32_t *)result);
}

static int pread_part(uint32_t fd, uint32_t vector, uint64_t offset, uint32_t result) {
  return wasi_fd_pread(fd, vector, 1, offset, result);
}

static int pwrite_part(uint32_t fd, uint32_t vector, uint64_t offset, uint32_t result) {
  return wasi_fd_pwrite(fd, vector, 1, offset, result);
}

/*
 * All bytes of the buffer that the vector at that address describes, as far as there are such: *done
 * grows by their number. False: an error, or there are no more.
 */
static ALWAYS_INLINE bool move_buffer(transfer *move, uint32_t fd, uint32_t vector, uint64_t offset,
                                      uint32_t result, uint32_t *done, int *error) {
  const uint32_t address = program_u32(vector), size = program_u32(vector + 4);
  uint32_t moved = 0;
  while (moved < size) {
    put_word(vector, address + moved);
    put_word(vector + 4, size - moved);
    *error = move(fd, vector, offset + *done, result);
    uint32_t part = *error == 0 ? program_u32(result) : 0;
    if (part == 0 || part > size - moved)
      break;
    moved += part;
    *done += part;
  }
  put_word(vector, address);
  put_word(vector + 4, size);
  return moved == size;
}

static ALWAYS_INLINE uint32_t move_all(transfer *move, uint32_t fd, uint32_t vectors,
                                       uint32_t count, uint64_t offset, uint32_t result) {
  uint32_t done = 0;
  int error = 0;
  for (uint32_t i = 0; i < count; i++)
    if (!move_buffer(move, fd, vectors + 8 * i, offset, result, &done, &error))
      break;
  if (error != 0 && done == 0)
    return (uint32_t)error;
  put_word(result, done);
  return 0;
}

/*
 * One piece of standard input. Whoever writes it may wait for an answer, so a read must not wait for
 * more than the host has. It fills the first buffer with room and ends with each block of the input:
 * Wasmtime reads such blocks ahead, and Node.js whole buffers. So a file has the same pieces in both.
 */
static uint32_t read_input(uint32_t vectors, uint32_t count, uint32_t result) {
  enum { STDIN = 0, BLOCK_SIZE = 65536 };
  static uint32_t taken; /* of the block */
  uint32_t vector = vectors;
  while (count > 1 && program_u32(vector + 4) == 0) {
    vector += 8;
    count--;
  }
  const uint32_t size = count > 0 ? program_u32(vector + 4) : 0, rest = BLOCK_SIZE - taken;
  if (size > rest)
    put_word(vector + 4, rest);
  int error = wasi_fd_read(STDIN, vector, count > 0, result);
  if (size > rest)
    put_word(vector + 4, size);
  if (error == 0)
    taken = (taken + program_u32(result)) % BLOCK_SIZE;
  return (uint32_t)error;
}

EMBED_EXPORT(fixed_fd_read)
uint32_t embed_fixed_fd_read(uint32_t fd, uint32_t vectors, uint32_t count, uint32_t result) {
  return fd == 0 ? read_input(vectors, count, result)
                 : move_all(read_part, fd, vectors, count, 0, result);
}

EMBED_EXPORT(fixed_fd_write)
uint32_t embed_fixed_fd_write(uint32_t fd, uint32_t vectors, uint32_t count, uint32_t result) {
  return move_all(write_part, fd, vectors, count, 0, result);
}

EMBED_EXPORT(fixed_fd_pread)
uint32_t embed_fixed_fd_pread(uint32_t fd, uint32_t vectors, uint32_t count, uint64_t offset,
                              uint32_t result) {
  return move_all(pread_part, fd, vectors, count, offset, result);
}

EMBED_EXPORT(fixed_fd_pwrite)
uint32_t embed_fixed_fd_pwrite(uint32_t fd, uint32_t vectors, uint32_t count, uint64_t offset,
                               uint32_t result) {
  return move_all(pwrite_part, fd, vectors, count, offset, result);
}

/* ---- What is there for the profile alone ---------------------------------------- */

enum { BORROWED_SIZE = 65536 }; /* of the program's memory, from address 0 on */

/* Keeps a piece of the program's memory in ours; NULL: memory is short. */
static unsigned char *borrow(uint32_t size) {
  uint32_t saved = embed_aligned(embed_scratch());
  if (!embed_reserve((uint64_t)saved + 2ull * BORROWED_SIZE))
    return NULL;
  copy_from_program((void *)saved, 0, size);
  return (unsigned char *)saved;
}

static bool is_text(const unsigned char *bytes, const char *text) {
  while (*text && *bytes == (unsigned char)*text) {
    bytes++;
    text++;
  }
  return *text == '\0';
}

/* The folder that wasm-perf adds, after all others. */
EMBED_EXPORT(fixed_fd_prestat_get)
uint32_t embed_fixed_fd_prestat_get(uint32_t fd, uint32_t result) {
  static const char folder[] = "/wasm_perf";
  enum { NAME_SIZE = sizeof folder - 1 };
  int error = wasi_fd_prestat_get(fd, (wasi_prestat *)result);
  if (error != 0 || program_u32(result + 4) != NAME_SIZE)
    return (uint32_t)error;
  static unsigned char name[NAME_SIZE];
  unsigned char *saved = borrow(NAME_SIZE);
  if (!saved)
    return WASI_ERRNO_NOMEM;
  error = wasi_fd_prestat_dir_name(fd, (char *)0, NAME_SIZE);
  copy_from_program(name, 0, NAME_SIZE);
  copy_to_program(0, saved, NAME_SIZE);
  return error == 0 && is_text(name, folder) ? WASI_ERRNO_BADF : (uint32_t)error;
}

/* The environment without the variable that says where the profile goes. */
typedef struct environment {
  unsigned char *text;
  uint32_t count, size;
} environment;

static void drop_variable(environment *all) {
  uint32_t kept = 0, count = 0;
  for (uint32_t at = 0, next; at < all->size; at = next) {
    for (next = at; next < all->size && all->text[next] != '\0';)
      next++;
    next++;
    if (is_text(all->text + at, "WASM_PERF_FILE="))
      continue;
    for (uint32_t i = at; i < next; i++)
      all->text[kept++] = all->text[i];
    count++;
  }
  all->count = count;
  all->size = kept;
}

static int read_sizes(environment *all) {
  enum { SIZE = 8 };
  unsigned char *saved = borrow(SIZE);
  if (!saved)
    return WASI_ERRNO_NOMEM;
  int error = wasi_environ_sizes_get((uint32_t *)0, (uint32_t *)4);
  *all = (environment){saved, program_u32(0), program_u32(4)};
  copy_to_program(0, saved, SIZE);
  return error;
}

/* Borrows no more than needed: pages that a run touches first cost it as much as the rest. */
static int read_environment(environment *all) {
  int error = read_sizes(all);
  if (error != 0 || all->count == 0) /* Node.js refuses to write nothing */
    return error;
  uint64_t table = 4ull * all->count;
  unsigned char *saved =
      table + all->size <= BORROWED_SIZE ? borrow((uint32_t)table + all->size) : NULL;
  if (!saved)
    return WASI_ERRNO_NOMEM;
  error = wasi_environ_get((char **)0, (char *)(uint32_t)table);
  all->text = saved + table + all->size;
  copy_from_program(all->text, (uint32_t)table, all->size);
  copy_to_program(0, saved, (uint32_t)table + all->size);
  if (error == 0)
    drop_variable(all);
  return error;
}

EMBED_EXPORT(fixed_environ_sizes_get)
uint32_t embed_fixed_environ_sizes_get(uint32_t count, uint32_t size) {
  static environment all;
  int error = read_environment(&all);
  if (error != 0)
    return (uint32_t)error;
  put_word(count, all.count);
  put_word(size, all.size);
  return 0;
}

EMBED_EXPORT(fixed_environ_get)
uint32_t embed_fixed_environ_get(uint32_t variables, uint32_t text) {
  static environment all;
  int error = read_environment(&all);
  if (error != 0)
    return (uint32_t)error;
  copy_to_program(text, all.text, all.size);
  for (uint32_t at = 0, i = 0; i < all.count; i++) {
    put_word(variables + 4 * i, text + at);
    while (all.text[at++] != '\0') {
    }
  }
  return 0;
}
