/*
 * Programs that Go's own compiler made (GOARCH=wasm): which of their functions switch between the
 * stacks of goroutines. runtime/embedded/goroutines.c describes what for.
 *
 * They are told by their shape: globals that stand for registers, a table of all functions from
 * index 0x1000 on, and a loop that calls through it until PAUSE is set (Go's sources:
 * cmd/link/internal/wasm/asm.go, runtime/asm_wasm.s). Only who started a goroutine takes names of
 * functions and the version of Go.
 */
#ifndef WI_HOOKS_FOLLOW_GO_H_
#define WI_HOOKS_FOLLOW_GO_H_

#include "code/scan.h"
#include "hooks/follow/asyncify.h"
#include "module/go_table.h"
#include "wasm_instrument/wasm_instrument.h"

/* The globals that stand for these registers. */
enum { WI_GO_SP = 0, WI_GO_G = 2, WI_GO_PAUSE = 7 };

/* What a function of Go's runtime does. */
typedef enum wi_go_role {
  WI_GO_RESUMES = 1,   /* the loop, or the same for exports */
  WI_GO_LEAVES = 2,    /* for the scheduler's stack */
  WI_GO_RESTARTS = 4,  /* and afterwards its caller begins anew */
  WI_GO_STARTS = 8,    /* is called by a go statement */
  WI_GO_CREATES = 16,  /* returns the new goroutine */
  WI_GO_SYSTEM = 32,   /* is part of Go's runtime: goroutines that it starts are its own */
  WI_GO_SWITCHES = 64, /* TinyGo's scheduler, which calls goroutines */
  WI_GO_QUEUES = 128   /* TinyGo's internal/task.start, which a go statement calls */
} wi_go_role;

typedef struct wi_go {
  uint8_t *roles; /* wi_go_role of each function with a body; owned; NULL: no program of Go */
  uint32_t goroutine_offset; /* from SP, of the one created; 0: not known */
  wi_asyncify asyncify;      /* of TinyGo */
  uint32_t stop_unwind;      /* TinyGo's scheduler calls it when a goroutine has returned */
} wi_go;

/* Looks through the module. `scan` is working memory. False, with *error filled in, on failure. */
bool wi_go_init(wi_go *go, const wi_module *module, const wi_options *options, wi_scan *scan,
                wi_error *error);
void wi_go_clear(wi_go *go);

/* Whether a call_indirect stands there, through the table, of a function with an i32 alone. */
bool wi_go_calls_by_table(const wi_module *module, uint32_t offset);

/* The roles of the function at that index of the module; 0 also for those that are imported. */
unsigned wi_go_roles(const wi_go *go, const wi_module *module, uint32_t function);

#endif /* WI_HOOKS_FOLLOW_GO_H_ */
