/*
 * Runs the fuzz target on damaged copies of files, the same for the same seed, and goes on after a
 * fault: a child runs the target, and where it dies the next child goes on with the next input.
 *
 *     damage-TARGET COUNT SEED FOLDER FILE...
 *
 * Inputs that end in a fault, or in nothing for ten seconds of computing, are written to FOLDER.
 * Prints how many inputs ran and how many faults there were; exit code 1 where there was one.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz.h"

enum { MAX_CHANGES = 6, MAX_GROWTH = 4096, HANGS_AFTER_SECONDS = 10 };

typedef struct input {
  uint8_t *bytes;
  size_t size;
  size_t capacity;
} input;

typedef struct run {
  input *files;
  size_t file_count;
  uint64_t seed;
  uint64_t count;
  const char *folder;
  volatile uint64_t *at; /* shared with the child: the input that it runs */
} run;

/* ---- Chance ---------------------------------------------------------------- */

/* splitmix64 */
static uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return z ^ z >> 31;
}

static size_t below(uint64_t *state, size_t limit) {
  return limit == 0 ? 0 : (size_t)(next_random(state) % limit);
}

/* ---- Damage ---------------------------------------------------------------- */

static void flip_bit(input *copy, uint64_t *state) {
  copy->bytes[below(state, copy->size)] ^= (uint8_t)(1u << below(state, 8));
}

static void set_byte(input *copy, uint64_t *state) {
  static const uint8_t values[] = {0, 1, 0x0B, 0x3F, 0x40, 0x7F, 0x80, 0xFF};
  copy->bytes[below(state, copy->size)] = values[below(state, sizeof values)];
}

static void truncate_it(input *copy, uint64_t *state) {
  copy->size = below(state, copy->size);
}

static void remove_range(input *copy, uint64_t *state) {
  size_t from = below(state, copy->size), size = below(state, copy->size - from) / 4 + 1;
  memmove(copy->bytes + from, copy->bytes + from + size, copy->size - from - size);
  copy->size -= size;
}

/* A piece of the file once more, somewhere. */
static void repeat_range(input *copy, uint64_t *state) {
  size_t from = below(state, copy->size), room = copy->capacity - copy->size;
  size_t size = below(state, copy->size - from) / 4 + 1, to = below(state, copy->size);
  if (size > room)
    return;
  uint8_t *piece = malloc(size);
  if (!piece)
    return;
  memcpy(piece, copy->bytes + from, size);
  memmove(copy->bytes + to + size, copy->bytes + to, copy->size - to);
  memcpy(copy->bytes + to, piece, size);
  copy->size += size;
  free(piece);
}

/* Where a number may stand, one that is as large as can be, or too large. */
static void write_large_number(input *copy, uint64_t *state) {
  static const uint8_t numbers[][5] = {{0xFF, 0xFF, 0xFF, 0xFF, 0x0F},
                                       {0xFF, 0xFF, 0xFF, 0xFF, 0x07},
                                       {0x80, 0x80, 0x80, 0x80, 0x10},
                                       {0xFF, 0xFF, 0xFF, 0xFF, 0xFF}};
  size_t at = below(state, copy->size);
  for (size_t i = 0, which = below(state, 4); i < 5 && at + i < copy->size; i++)
    copy->bytes[at + i] = numbers[which][i];
}

static void write_noise(input *copy, uint64_t *state) {
  size_t at = below(state, copy->size), size = below(state, 16);
  for (size_t i = 0; i < size && at + i < copy->size; i++)
    copy->bytes[at + i] = (uint8_t)next_random(state);
}

/* Makes input `number` of the seed. */
static void make_input(const run *all, uint64_t number, input *copy) {
  static void (*const ways[])(input *, uint64_t *) = {
      flip_bit,     flip_bit,     set_byte,           truncate_it,
      remove_range, repeat_range, write_large_number, write_noise};
  uint64_t state = all->seed + (number << 20);
  const input *file = &all->files[below(&state, all->file_count)];
  memcpy(copy->bytes, file->bytes, file->size);
  copy->size = file->size;
  size_t changes = 1 + below(&state, 1 + below(&state, MAX_CHANGES)); /* most often few */
  for (size_t i = changes; i > 0 && copy->size > 0; i--)
    ways[below(&state, sizeof ways / sizeof *ways)](copy, &state);
}

/* ---- Running --------------------------------------------------------------- */

static void run_from(const run *all, uint64_t number, input *copy) {
  for (; number < all->count; number++) {
    *all->at = number;
    make_input(all, number, copy);
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {HANGS_AFTER_SECONDS, 0}}, NULL);
    uint8_t *exact = malloc(copy->size + (copy->size == 0)); /* so that a read past it is seen */
    memcpy(exact, copy->bytes, copy->size);
    LLVMFuzzerTestOneInput(exact, copy->size);
    free(exact);
  }
  *all->at = number;
}

/* Whether the child came to the end. */
static bool run_child(const run *all, uint64_t number, input *copy) {
  int status;
  pid_t child = fork();
  if (child == 0) {
    run_from(all, number, copy);
    exit(0); /* where the sanitizer looks for leaks */
  }
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static void keep(const run *all, uint64_t number, input *copy) {
  char path[4096];
  make_input(all, number, copy);
  snprintf(path, sizeof path, "%s/damaged-%" PRIu64 "-%" PRIu64, all->folder, all->seed, number);
  FILE *file = fopen(path, "wb");
  if (file) {
    fwrite(copy->bytes, 1, copy->size, file);
    fclose(file);
  }
  fprintf(stderr, "fault: %s\n", path);
}

static uint64_t run_all(const run *all, input *copy) {
  uint64_t faults = 0;
  for (uint64_t number = 0; number < all->count; number = *all->at + 1) {
    if (run_child(all, number, copy))
      break;
    faults++;
    if (*all->at < all->count)
      keep(all, *all->at, copy);
    else
      fputs("fault: memory that is lost at the end\n", stderr);
  }
  return faults;
}

static void free_all(input *files, size_t count) {
  for (size_t i = 0; i < count; i++)
    free(files[i].bytes);
  free(files);
}

static bool read_input(input *file, const char *path) {
  FILE *stream = fopen(path, "rb");
  if (!stream || fseek(stream, 0, SEEK_END) != 0) {
    perror(path);
    return false;
  }
  file->size = (size_t)ftell(stream);
  rewind(stream);
  file->bytes = malloc(file->size + 1);
  bool done = file->bytes && fread(file->bytes, 1, file->size, stream) == file->size;
  fclose(stream);
  return done;
}

int main(int argc, char **argv) {
  if (argc < 5) {
    fputs("usage: damage-TARGET COUNT SEED FOLDER FILE...\n", stderr);
    return 2;
  }
  size_t largest = 0, file_count = (size_t)argc - 4;
  input *files = calloc(file_count, sizeof *files);
  for (size_t i = 0; files && i < file_count; i++) {
    if (!read_input(&files[i], argv[4 + i]))
      return 2;
    largest = files[i].size > largest ? files[i].size : largest;
  }
  input copy = {.bytes = malloc(largest + MAX_GROWTH), .capacity = largest + MAX_GROWTH};
  volatile uint64_t *at =
      mmap(NULL, sizeof *at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (!files || !copy.bytes || at == MAP_FAILED)
    return 2;
  run all = {files,   file_count, strtoull(argv[2], NULL, 10), strtoull(argv[1], NULL, 10),
             argv[3], at};
  uint64_t faults = run_all(&all, &copy);
  free_all(files, file_count);
  free(copy.bytes);
  printf("%" PRIu64 " inputs, %" PRIu64 " faults\n", all.count, faults);
  return faults > 0;
}
