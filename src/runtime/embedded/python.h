/* What both sides say of Python: see hooks/follow/python.c and python.c here. */
#ifndef WI_RUNTIME_EMBEDDED_PYTHON_H_
#define WI_RUNTIME_EMBEDDED_PYTHON_H_

#include <stdint.h>

/*
 * A guest: where its interpreter has its frames in the program's first memory, and what it says of
 * them. Addresses and offsets are in bytes.
 *
 * A pointer in the interpreter's state, at first_interpreter, leads to a record, a pointer in this
 * at first_thread to the thread, which has at current_frame the address of a frame, and that at
 * frame_previous the address of its caller's. Texts are those of Python: a length, a state that
 * tells how wide characters are, and characters.
 */
#define EMBED_GUEST_FIELDS(X)                                                                      \
  X(first_interpreter)                                                                             \
  X(first_thread)                                                                                  \
  X(current_frame)                                                                                 \
  X(frame_previous)                                                                                \
  X(frame_code)      /* what it runs; the two low bits are no part of the address */               \
  X(frame_owner)     /* one byte */                                                                \
  X(owner_generator) /* that of a frame of a generator that runs */                                \
  X(owner_none)      /* from this one on: a frame of no function */                                \
  X(code_flags)                                                                                    \
  X(flags_generator) /* any of these: is first called to make a generator, which is no call */     \
  X(flags_hidden)    /* any of these: part of the interpreter */                                   \
  X(code_version)    /* tells code apart that was at the same address */                           \
  X(code_name)       /* these two lead to texts */                                                 \
  X(code_file)                                                                                     \
  X(code_line)                                                                                     \
  X(text_length)                                                                                   \
  X(text_state)                                                                                    \
  X(text_ascii) /* where ASCII characters begin */                                                 \
  X(text_wide)  /* and others */

typedef struct embed_guest {
#define EMBED_GUEST_FIELD(name) uint32_t name;
  EMBED_GUEST_FIELDS(EMBED_GUEST_FIELD)
#undef EMBED_GUEST_FIELD
  uint32_t first_function; /* the first that stands for one of the guest's */
  uint32_t is_alone;       /* only these functions have nodes */
  uint32_t thread;         /* address of the thread; 0: not found yet */
  uint32_t cell;           /* that plus current_frame */
} embed_guest;

#define EMBED_GUEST_FUNCTION_COUNT 16384u /* the last one stands for all others */

#endif /* WI_RUNTIME_EMBEDDED_PYTHON_H_ */
