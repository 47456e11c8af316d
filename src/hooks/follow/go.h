/*
 * Programs made by Go's own compiler (GOARCH=wasm): finds the functions that switch between
 * goroutine stacks. runtime/embedded/goroutines.c describes what for.
 *
 * Such programs are recognised by their structure: globals that stand for registers, a table of all
 * functions from index 0x1000 on, and a loop that calls through it until PAUSE is set (Go's
 * sources: cmd/link/internal/wasm/asm.go, runtime/asm_wasm.s). Only attributing a goroutine to the
 * function that started it needs function names and Go's version.
 */
#ifndef WI_HOOKS_FOLLOW_GO_H_
#define WI_HOOKS_FOLLOW_GO_H_

#include "code/scan.h"
#include "hooks/follow/asyncify.h"
#include "module/go_table.h"
#include "wasm_instrument/wasm_instrument.h"

/* Indices of the globals for these registers. */
enum { WI_GO_SP = 0, WI_GO_G = 2, WI_GO_PAUSE = 7 };

/* What a function of Go's runtime does. */
typedef enum wi_go_role {
  WI_GO_RESUMES = 1,   /* the loop, or its counterpart for exports */
  WI_GO_LEAVES = 2,    /* switches to the scheduler's stack */
  WI_GO_RESTARTS = 4,  /* and restarts its caller afterwards */
  WI_GO_STARTS = 8,    /* called by a go statement */
  WI_GO_CREATES = 16,  /* returns the new goroutine */
  WI_GO_SYSTEM = 32,   /* part of Go's runtime: the goroutines that it starts are internal */
  WI_GO_SWITCHES = 64, /* TinyGo's scheduler, which calls goroutines */
  WI_GO_QUEUES = 128   /* TinyGo's internal/task.start, called by a go statement */
} wi_go_role;

typedef struct wi_go {
  uint8_t *roles; /* wi_go_role per function with a body; owned; NULL: not a Go program */
  uint32_t goroutine_offset; /* of the created goroutine, from SP; 0: unknown */
  WI_ARRAY(uint32_t, table); /* function indices from WI_GO_TABLE_OFFSET on; owned */
  bool is_moved;             /* they are not the functions with a body, in order */
  wi_asyncify asyncify;      /* in TinyGo programs */
  uint32_t stop_unwind;      /* TinyGo's scheduler calls it when a goroutine has returned */
} wi_go;

/* Searches the module. `scan` is working memory. Returns false, with *error set, on failure. */
bool wi_go_init(wi_go *go, const wi_module *module, const wi_options *options, wi_scan *scan,
                wi_error *error);
void wi_go_clear(wi_go *go);

/*
 * Whether a call_indirect through the table, of a function with a single i32 parameter, is at
 * `offset`.
 */
bool wi_go_calls_by_table(const wi_module *module, uint32_t offset);

/* The roles of the function with this index in the module; 0 for imports. */
unsigned wi_go_roles(const wi_go *go, const wi_module *module, uint32_t function);

#endif /* WI_HOOKS_FOLLOW_GO_H_ */
