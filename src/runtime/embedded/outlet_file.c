/*
 * write_file: a WASI command writes its profile to a file before it exits.
 *
 * WASI hosts read and write the program's memory, not the runtime's. So the runtime borrows a piece
 * of the program's memory: it saves the bytes, uses the piece for its calls of the host, and
 * restores them.
 */
#include "runtime/embedded/profile.h"

#include "runtime/wasi.h"

#define BORROWED_SIZE 65536u /* from address 0 on; the rewriter makes the memory large enough */

/* Addresses within the borrowed piece. */
enum {
  AT_RESULT = 0,  /* the host's results: two words */
  AT_VECTOR = 16, /* a wasi_bytes */
  AT_NAME = 64,
  AT_DATA = 4096,
  NAME_SIZE = AT_DATA - AT_NAME,
  DATA_SIZE = BORROWED_SIZE - AT_DATA
};

/* Copy between the program's memory and the runtime's. See hooks/embedded/merge.h. */
void copy_to_program(uint32_t program_address, const void *bytes, uint32_t size);
void copy_from_program(void *bytes, uint32_t program_address, uint32_t size);

static uint32_t result_word(uint32_t index) {
  static uint32_t word;
  copy_from_program(&word, AT_RESULT + index * (uint32_t)sizeof word, sizeof word);
  return word;
}

static uint32_t text_size(const char *text) {
  uint32_t size = 0;
  while (text[size])
    size++;
  return size;
}

/* ---- Writing ------------------------------------------------------------- */

static int write_all(uint32_t fd, const unsigned char *bytes, uint32_t size) {
  while (size > 0) {
    uint32_t part = size < DATA_SIZE ? size : DATA_SIZE;
    static uint32_t vector[2] = {AT_DATA};
    vector[1] = part;
    copy_to_program(AT_DATA, bytes, part);
    copy_to_program(AT_VECTOR, vector, sizeof vector);
    int error = wasi_fd_write(fd, (const wasi_bytes *)AT_VECTOR, 1, (uint32_t *)AT_RESULT);
    uint32_t written = error == 0 ? result_word(0) : 0;
    if (error != 0)
      return error;
    if (written == 0 || written > part)
      return WASI_ERRNO_IO;
    bytes += written;
    size -= written;
  }
  return 0;
}

static void say(const char *text) {
  write_all(WASI_FD_STDERR, (const unsigned char *)text, text_size(text));
}

static void complain(const char *why, const char *name, uint32_t name_size, const char *advice) {
  say("wasm_perf: ");
  say(why);
  write_all(WASI_FD_STDERR, (const unsigned char *)name, name_size);
  say(advice);
  say("\n");
}

/* ---- The file's name ------------------------------------------------------- */

typedef struct file_name {
  char *bytes; /* NAME_SIZE bytes */
  uint32_t size;
} file_name;

static file_name name;

static void append(const char *bytes, uint32_t size) {
  for (uint32_t i = 0; i < size && name.size < NAME_SIZE; i++)
    name.bytes[name.size++] = bytes[i];
}

static bool ends_with(const char *bytes, uint32_t size, const char *end) {
  uint32_t end_size = text_size(end);
  for (uint32_t i = 0; i < end_size && end_size <= size; i++)
    if (bytes[size - end_size + i] != end[i])
      return false;
  return end_size <= size;
}

static bool begins_with(const char *text, const char *start) {
  while (*start && *text == *start) {
    text++;
    start++;
  }
  return *start == '\0';
}

/* Reads WASM_PERF_FILE from the host's environment. `room` must hold all variables. */
static bool name_from_environment(char *room) {
  static const char variable[] = "WASM_PERF_FILE=";
  if (wasi_environ_sizes_get((uint32_t *)AT_RESULT, (uint32_t *)(AT_RESULT + 4)) != 0)
    return false;
  uint32_t table_size = result_word(0) * (uint32_t)sizeof(uint32_t), size = result_word(1);
  if (result_word(0) > DATA_SIZE || size > DATA_SIZE || table_size + size > DATA_SIZE)
    return false;
  if (wasi_environ_get((char **)AT_DATA, (char *)(AT_DATA + table_size)) != 0)
    return false;
  copy_from_program(room, AT_DATA + table_size, size);
  room[size] = '\0';
  for (const char *at = room; at < room + size; at += text_size(at) + 1) {
    if (!begins_with(at, variable))
      continue;
    const char *value = at + sizeof variable - 1;
    append(value, text_size(value));
    return *value != '\0';
  }
  return false;
}

static void find_name(char *room) {
  const embed_config *config = embed_configuration();
  const char *module = (const char *)config->file_name;
  uint32_t size = config->file_name_size;
  name.size = 0;
  if (name_from_environment(room))
    return;
  if (ends_with(module, size, ".wasm"))
    size -= text_size(".wasm");
  append(module, size);
  append(".wperf", text_size(".wperf"));
}

/* ---- The file ---------------------------------------------------------------- */

/*
 * Offset at which the file's path relative to `folder` begins. An absolute path is only valid in a
 * directory whose name it begins with. Returns name.size if the path is not in this directory.
 */
static uint32_t start_in(uint32_t folder) {
  uint32_t size = result_word(1); /* of the directory's name, from the last fd_prestat_get */
  if (name.bytes[0] != '/')
    return 0;
  if (size >= name.size || size > DATA_SIZE ||
      wasi_fd_prestat_dir_name(folder, (char *)AT_DATA, size) != 0)
    return name.size;
  for (uint32_t i = 0; i < size; i++) {
    static char byte;
    copy_from_program(&byte, AT_DATA + i, 1);
    if (byte != name.bytes[i])
      return name.size;
  }
  return name.bytes[size] == '/' ? size + 1 : name.size;
}

/* Tries the preopened directories in order. Returns false if the file can be opened in none. */
static bool open_file(uint32_t *fd) {
  for (uint32_t folder = WASI_FD_FIRST_PREOPEN;
       wasi_fd_prestat_get(folder, (wasi_prestat *)AT_RESULT) == 0; folder++) {
    uint32_t start = start_in(folder);
    copy_to_program(AT_NAME, name.bytes + start, name.size - start);
    if (start < name.size &&
        wasi_path_open(folder, 0, (const char *)AT_NAME, name.size - start,
                       WASI_OPEN_CREATE | WASI_OPEN_TRUNCATE, WASI_RIGHT_FD_WRITE, 0, 0,
                       (uint32_t *)AT_RESULT) == 0) {
      *fd = result_word(0);
      return true;
    }
  }
  return false;
}

static void write_profile(uint32_t size) {
  static uint32_t fd;
  if (size == 0) {
    complain("memory is short: no profile in ", name.bytes, name.size, "");
  } else if (!open_file(&fd)) {
    complain("the program may not write to any directory: no profile in ", name.bytes, name.size,
             "; give it one, as in: wasmtime run --dir . app.wasm");
  } else {
    int error = write_all(fd, (const unsigned char *)embed_file(), size);
    int close_error = wasi_fd_close(fd);
    if (error != 0 || close_error != 0)
      complain("the disk is full, or the file cannot be written: no profile in ", name.bytes,
               name.size, "");
  }
}

/* May be called repeatedly; each call writes the whole profile so far. */
EMBED_EXPORT(write_file) void embed_write_file(void) {
  uint32_t size = embed_profile();
  uint32_t saved = embed_behind_file();
  if (!embed_reserve((uint64_t)saved + 2 * BORROWED_SIZE + NAME_SIZE))
    return;
  name.bytes = (char *)(saved + 2 * BORROWED_SIZE);
  copy_from_program((void *)saved, 0, BORROWED_SIZE);
  find_name((char *)(saved + BORROWED_SIZE));
  write_profile(size);
  copy_to_program(0, (const void *)saved, BORROWED_SIZE);
}

/* When a chosen export returns. */
EMBED_EXPORT(write_file_at) void embed_write_file_at(void) {
  if (embed_write_is_due())
    embed_write_file();
}
