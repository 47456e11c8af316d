/* Python's frame layout, shared by hooks/follow/python.c and runtime/embedded/python.c. */
#ifndef WI_RUNTIME_EMBEDDED_PYTHON_H_
#define WI_RUNTIME_EMBEDDED_PYTHON_H_

#include <stdint.h>

/*
 * A guest: where its interpreter keeps frames in the program's first memory, and their layout.
 * Addresses and offsets are in bytes.
 *
 * A pointer in the interpreter's state, at first_interpreter, leads to a record. A pointer in that
 * record, at first_thread, leads to the thread, which holds at current_frame the address of a
 * frame. A frame holds at frame_previous the address of its caller's frame. Texts are Python's: a
 * length, a state that tells the character width, and the characters.
 */
#define EMBED_GUEST_FIELDS(X)                                                                      \
  X(first_interpreter)                                                                             \
  X(first_thread)                                                                                  \
  X(current_frame)                                                                                 \
  X(frame_previous)                                                                                \
  X(frame_code)      /* its code; the two low bits are not part of the address */                  \
  X(frame_owner)     /* one byte */                                                                \
  X(owner_generator) /* the owner of a running generator's frame */                                \
  X(owner_none)      /* from this value on, a frame of no function */                              \
  X(code_flags)                                                                                    \
  X(flags_generator) /* any of these: the first call only makes a generator, and is not counted */ \
  X(flags_hidden)    /* any of these: part of the interpreter */                                   \
  X(code_version)    /* distinguishes code objects at the same address */                          \
  X(code_name)       /* a text, as is code_file */                                                 \
  X(code_file)                                                                                     \
  X(code_line)                                                                                     \
  X(text_length)                                                                                   \
  X(text_state)                                                                                    \
  X(text_ascii) /* where ASCII characters begin */                                                 \
  X(text_wide)  /* where other characters begin */

typedef struct embed_guest {
#define EMBED_GUEST_FIELD(name) uint32_t name;
  EMBED_GUEST_FIELDS(EMBED_GUEST_FIELD)
#undef EMBED_GUEST_FIELD
  uint32_t first_function; /* number of the first stand-in for a guest function */
  uint32_t is_alone;       /* only guest functions have nodes */
  uint32_t thread;         /* address of the thread; 0: not yet known */
  uint32_t cell;           /* thread + current_frame */
} embed_guest;

#define EMBED_GUEST_FUNCTION_COUNT 16384u /* the last one stands for all others */

#endif /* WI_RUNTIME_EMBEDDED_PYTHON_H_ */
