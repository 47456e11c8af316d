/* Parameters and results of functions that allocate memory. */
#ifndef WI_HOOKS_FOLLOW_ALLOCATOR_KINDS_H_
#define WI_HOOKS_FOLLOW_ALLOCATOR_KINDS_H_

#include <stdbool.h>
#include <stdint.h>

typedef enum wi_allocator_action {
  WI_ALLOCATOR_IGNORE,
  WI_ALLOCATOR_ALLOCATE, /* returns the block, or 0 */
  WI_ALLOCATOR_STORE,    /* returns 0 on success, and stores the block's address where a parameter
                            points to */
  WI_ALLOCATOR_RESIZE,   /* returns the block, which may have moved; 0: nothing changed */
  WI_ALLOCATOR_RELEASE,
  WI_ALLOCATOR_PUT_BACK, /* releases a block if it was allocated */
  WI_ALLOCATOR_COLLECT,  /* returns a block that no call frees */
  WI_ALLOCATOR_GO        /* likewise, with arguments on a stack that global 0 points to */
} wi_allocator_action;

/* The kind has no such parameter. */
#define WI_NO_PARAMETER 0xFFu

/*
 * Kinds of allocators, as in --allocator: X(ID, name, action, pointer, count, size, offset, help).
 * pointer, count and size are indices of parameters: the block (or where its address is stored),
 * the number of items, and the size in bytes of the block or of an item. offset is added to the
 * address that the function takes or returns to get the block's address as the rest of the program
 * knows it.
 */
#define WI_ALLOCATOR_KINDS(X)                                                                      \
  X(NONE, "none", IGNORE, 0xFF, 0xFF, 0xFF, 0, "not an allocator, whatever its name")              \
  X(MALLOC, "malloc", ALLOCATE, 0xFF, 0xFF, 0, 0, "(size, ...) returns the block")                 \
  X(CALLOC, "calloc", ALLOCATE, 0xFF, 0, 1, 0, "(count, size)")                                    \
  X(ALIGNED_ALLOC, "aligned_alloc", ALLOCATE, 0xFF, 0xFF, 1, 0, "(alignment, size)")               \
  X(POSIX_MEMALIGN, "posix_memalign", STORE, 0, 0xFF, 2, 0,                                        \
    "(pointer to the block's address, alignment, size) returns 0 on success")                      \
  X(REALLOC, "realloc", RESIZE, 0, 0xFF, 1, 0, "(block, size)")                                    \
  X(REALLOCARRAY, "reallocarray", RESIZE, 0, 1, 2, 0, "(block, count, size)")                      \
  X(RUST_REALLOC, "rust_realloc", RESIZE, 0, 0xFF, 3, 0, "(block, old size, alignment, size)")     \
  X(SIZED_REALLOC, "sized_realloc", RESIZE, 0, 0xFF, 2, 0, "(block, old size, size, ...)")         \
  X(FREE, "free", RELEASE, 0, 0xFF, 0xFF, 0, "(block, ...)")                                       \
  X(CONTEXT_MALLOC, "context_malloc", ALLOCATE, 0xFF, 0xFF, 1, 0, "(context, size)")               \
  X(CONTEXT_CALLOC, "context_calloc", ALLOCATE, 0xFF, 1, 2, 0, "(context, count, size)")           \
  X(CONTEXT_ALIGNED, "context_aligned", ALLOCATE, 0xFF, 0xFF, 2, 0, "(context, alignment, size)")  \
  X(CONTEXT_REALLOC, "context_realloc", RESIZE, 1, 0xFF, 2, 0, "(context, block, size)")           \
  X(CONTEXT_FREE, "context_free", RELEASE, 1, 0xFF, 0xFF, 0, "(context, block, ...)")              \
  X(TLSF_MALLOC, "tlsf_malloc", ALLOCATE, 0xFF, 0xFF, 1, 4,                                        \
    "(root, size), inside AssemblyScript's: the block is 4 bytes behind")                          \
  X(TLSF_REALLOC, "tlsf_realloc", RESIZE, 1, 0xFF, 2, 4, "(root, block, size), there")             \
  X(TLSF_FREE, "tlsf_free", RELEASE, 1, 0xFF, 0xFF, 4, "(root, block), there")                     \
  X(TLSF_INSERT, "tlsf_insert", PUT_BACK, 1, 0xFF, 0xFF, 4,                                        \
    "(root, block), there, also for blocks never handed out")                                      \
  X(GC_MALLOC, "gc_malloc", COLLECT, 0xFF, 0xFF, 0, 0, "(size, ...), never freed by a call")       \
  X(GO_MALLOC, "go_malloc", GO, 0xFF, 0xFF, 0xFF, 0, "Go's, whose arguments are on Go's own stack")

typedef enum wi_allocator_kind {
#define WI_ALLOCATOR_ENUM(id, name, action, pointer, count, size, offset, help)                    \
  WI_ALLOCATOR_KIND_##id,
  WI_ALLOCATOR_KINDS(WI_ALLOCATOR_ENUM)
#undef WI_ALLOCATOR_ENUM
      WI_ALLOCATOR_KIND_COUNT
} wi_allocator_kind;

typedef struct wi_allocator {
  const char *name;
  wi_allocator_action action;
  uint8_t pointer; /* parameter indices, or WI_NO_PARAMETER */
  uint8_t count;
  uint8_t size;
  uint8_t offset; /* bytes */
  const char *help;
} wi_allocator;

/* Whether it releases a block. Its result does not matter. */
static inline bool wi_allocator_releases(const wi_allocator *allocator) {
  return allocator->action == WI_ALLOCATOR_RELEASE || allocator->action == WI_ALLOCATOR_PUT_BACK;
}

/* Indexed by kind. */
extern const wi_allocator wi_allocators[WI_ALLOCATOR_KIND_COUNT];

/* Assigns a kind to the functions whose names match. */
typedef struct wi_allocator_rule {
  const char *pattern; /* a glob with * and ? */
  wi_allocator_kind kind;
} wi_allocator_rule;

/* Finds a kind by name. Returns false and leaves *kind alone if there is none. */
bool wi_allocator_kind_find(const char *name, wi_allocator_kind *kind);

#endif /* WI_HOOKS_FOLLOW_ALLOCATOR_KINDS_H_ */
