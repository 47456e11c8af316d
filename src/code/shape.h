/* How to read past an instruction, and what it means for control flow: the last column of
 * opcodes.def. */
#ifndef WI_CODE_SHAPE_H_
#define WI_CODE_SHAPE_H_

#include <stdbool.h>

/*
 * X(name, size, more): where a size is given, the instruction has a short form of so many bytes,
 * with the opcode. It is one if of the four bytes that begin with the opcode, little endian, none
 * of the bits in `more` is set: each immediate is then a single byte, and a memory's is the first.
 */
#define WI_PLAIN_SHAPES(X)                                                                         \
  X(UNKNOWN, 0, 0)                                                                                 \
  X(PLAIN, 1, 0)                                                                                   \
  X(U32, 2, 0x8000)                                                                                \
  X(U32_U32, 0, 0)                                                                                 \
  X(REFERENCES, 0, 0)     /* one index; may read a reference to a function */                      \
  X(REFERENCES_U32, 0, 0) /* the same, and another number */                                       \
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

/* Those that control.h knows. */
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

#endif /* WI_CODE_SHAPE_H_ */
