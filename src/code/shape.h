/* How to skip an instruction and what it means for control flow: the shapes in opcodes.def. */
#ifndef WI_CODE_SHAPE_H_
#define WI_CODE_SHAPE_H_

#include <stdbool.h>

/*
 * X(name, size, more). If size is not 0, the instruction has a short form of that many bytes
 * including the opcode. Take the four bytes from the opcode on as a little endian number: the
 * instruction is in short form if none of the bits in `more` are set. Then every immediate is a
 * single byte, and a memory access is to the first memory.
 */
#define WI_PLAIN_SHAPES(X)                                                                         \
  X(UNKNOWN, 0, 0)                                                                                 \
  X(PLAIN, 1, 0)                                                                                   \
  X(U32, 2, 0x8000)                                                                                \
  X(U32_U32, 0, 0)                                                                                 \
  X(REFERENCES, 0, 0)     /* one index; may read a function reference */                           \
  X(REFERENCES_U32, 0, 0) /* likewise, then another number */                                      \
  X(S32, 2, 0x8000)                                                                                \
  X(S64, 2, 0x8000)                                                                                \
  X(BYTES_1, 0, 0)                                                                                 \
  X(BYTES_4, 0, 0)                                                                                 \
  X(BYTES_8, 0, 0)                                                                                 \
  X(BYTES_16, 0, 0)                                                                                \
  X(MEMARG, 3, 0x80f000)                                                                           \
  X(MEMARG_LANE, 0, 0)                                                                             \
  X(ATOMIC, 0, 0)                                                                                  \
  X(HEAP_TYPE, 0, 0)                                                                               \
  X(VALUE_TYPES, 0, 0)                                                                             \
  X(PREFIX, 0, 0)                                                                                  \
  X(GLOBAL, 2, 0x8000)                                                                             \
  X(MEMORY, 0, 0)                                                                                  \
  X(REF_FUNC, 0, 0)

/* Shapes that control.h handles. */
#define WI_CONTROL_SHAPES(X)                                                                       \
  X(UNREACHABLE, 0, 0)                                                                             \
  X(CALL, 0, 0)                                                                                    \
  X(CALL_INDIRECT, 0, 0)                                                                           \
  X(CALL_REF, 0, 0)                                                                                \
  X(THROW, 0, 0)                                                                                   \
  X(THROW_REF, 0, 0)                                                                               \
  X(BLOCK, 0, 0)                                                                                   \
  X(LOOP, 0, 0)                                                                                    \
  X(IF, 0, 0)                                                                                      \
  X(ELSE, 0, 0)                                                                                    \
  X(TRY, 0, 0)                                                                                     \
  X(CATCH, 0, 0)                                                                                   \
  X(CATCH_ALL, 0, 0)                                                                               \
  X(DELEGATE, 0, 0)                                                                                \
  X(TRY_TABLE, 0, 0)                                                                               \
  X(END, 0, 0)                                                                                     \
  X(BR, 0, 0)                                                                                      \
  X(BR_CONDITIONAL, 0, 0)                                                                          \
  X(BR_TABLE, 0, 0)                                                                                \
  X(BR_ON_CAST, 0, 0)                                                                              \
  X(RETURN, 0, 0)                                                                                  \
  X(RETURN_CALL, 0, 0)                                                                             \
  X(RETURN_CALL_INDIRECT, 0, 0)                                                                    \
  X(RETURN_CALL_REF, 0, 0)

typedef enum wi_shape {
#define WI_SHAPE(name, size, more) SHAPE_##name,
  WI_PLAIN_SHAPES(WI_SHAPE) WI_CONTROL_SHAPES(WI_SHAPE)
#undef WI_SHAPE
} wi_shape;

/* Delimiters are part of another instruction. */
static inline bool wi_shape_is_delimiter(wi_shape shape) {
  return shape == SHAPE_ELSE || shape == SHAPE_CATCH || shape == SHAPE_CATCH_ALL ||
         shape == SHAPE_DELEGATE || shape == SHAPE_END;
}

#define WI_SHAPE_FIRST_CONTROL SHAPE_UNREACHABLE

/* Rows of a table of all opcodes: codes without a prefix, and after each prefix byte. */
enum { ROW_NONE, ROW_FB, ROW_FC, ROW_FD, ROW_FE, ROW_COUNT };
enum { CODE_COUNT = 0x114 };

#endif /* WI_CODE_SHAPE_H_ */
