#include "rewrite/inline.h"

#include <string.h>

#include "rewrite/opcodes.h"

#define LIST_SIZE       2048u /* bytes of the list of touched cells, which begins at 0 */
#define SLOT_SIZE       32u   /* four pairs of parent and child */
#define PAGE_SIZE       65536u
#define FIRST_CELL_ROOM 8192u  /* bytes */
#define MAX_PAGE_COUNT  32768u /* an i32 holds a cell's end */
#define GROWTH          16     /* pages at a time */

/* ---- Layout --------------------------------------------------------------- */

/* Cells without a clock hold calls only. */
static uint32_t cell_bits(const wi_plan *plan) {
  return plan->counts ? 4 : 3;
}

static uint32_t slot_address(uint32_t function) {
  return LIST_SIZE + function * SLOT_SIZE;
}

/* Behind the functions that the program has in the output, the host's included. */
static uint32_t first_added(const wi_plan *plan) {
  return wi_module_function_count(plan->module) + plan->import_count;
}

/* The root's: where cells begin. Functions of the host have slots, too, and so has the first one
   added: that is the one of HOOKED_WORK. */
static uint32_t root_address(const wi_plan *plan) {
  uint32_t end = slot_address(first_added(plan) + plan->samples);
  return (end + 15) / 16 * 16;
}

/*
 * ---- Code ------------------------------------------------------------------
 *
 * It stands in listings: bytes as they are encoded, and symbols for the numbers that differ from
 * module to module or from function to function.
 */

/* In a listing, what stands for a number that depends on the module. Smaller ones are bytes. */
enum symbol {
  MEMORY = 0x100,
  /* locals of a function with hooks */
  OWN,
  CALLER,
  COUNT,
  PENDING,
  /* globals */
  CLOCK,
  CURRENT,
  BOOKED,  /* the count up to which all is booked */
  NEXT,    /* the count at which perf_read is due */
  TOUCHED, /* where the list ends */
  /* i32 constants */
  ROOT,
  CELL_BITS,
  LIST_END,
  PAIR_SHIFT,
  FUNCTION,
  /* offsets of memory accesses: in any slot, in that of the function */
  SLOT_PARENT,
  SLOT_CHILD,
  OWN_PARENT,
  OWN_CHILD,
  /* runtime functions */
  PERF_ENTER,
  PERF_CELL,
  PERF_CHARGE,
  PERF_READ,
  PERF_CURRENT,
  /* the functions below */
  ENTER,
  START,
  CHARGE,
  NOTE,
  WINDOW,
  LEAVE,
  UNWIND,
  SYNC,
  RESET,
  WORK,
  HOOKED_WORK,
  MEASURE_WORK,
  MEASURE_HOOKED_WORK
};

/* A memory access with its alignment, in the added memory. */
#define I32_AT(offset) 0x42, MEMORY, offset
#define I64_AT(offset) 0x43, MEMORY, offset

#define CELL_CALLS   0
#define CELL_PENDING 8

/*
 * Where in a slot the pair of the cell on the stack is: neighbours get different ones. It is a
 * place that does not depend on what was loaded, so the CPU need not wait to look there.
 */
#define PAIR I32_CONST, PAIR_SHIFT, I32_SHR_U, I32_CONST, 0x18, I32_AND

/* The same for the slot of the function in local 0, from the first slot on. */
#define PAIR_OF_0 LOCAL_GET, 0, I32_CONST, 5, I32_SHL, GLOBAL_GET, CURRENT, PAIR, I32_ADD

/* From a cell's address on the stack to its node's index, and back. */
#define TO_NODE    I32_CONST, ROOT, I32_SUB, I32_CONST, CELL_BITS, I32_SHR_U
#define TO_ADDRESS I32_CONST, CELL_BITS, I32_SHL, I32_CONST, ROOT, I32_ADD

typedef uint16_t listing[];

/* clang-format off */
/* enter (function) -> cell: the slow way into a function, which tries to fill its slot. */
static const listing enter_code = {
    /* room in cells */
    MEMORY_SIZE, MEMORY, I32_CONST, 16, I32_SHL, TO_NODE, LOCAL_SET, 1,
    /* the node; ~node where it is not to be kept */
    GLOBAL_GET, CURRENT, TO_NODE, LOCAL_GET, 0, LOCAL_GET, 1, CALL, PERF_ENTER, LOCAL_TEE, 2,
    I32_CONST, 0, I32_LT_S, IF, BLOCK_VOID,
      LOCAL_GET, 2, I32_CONST, 0x7f, I32_XOR, TO_ADDRESS, RETURN,
    END,
    /* the runtime uses no node beyond the room, whether or not this gets more */
    LOCAL_GET, 2, I32_CONST, 2, I32_ADD, LOCAL_GET, 1, I32_GE_U, IF, BLOCK_VOID,
      I32_CONST, GROWTH, MEMORY_GROW, MEMORY, DROP,
    END,
    PAIR_OF_0, GLOBAL_GET, CURRENT, I32_STORE, I32_AT(SLOT_PARENT),
    PAIR_OF_0, LOCAL_GET, 2, TO_ADDRESS, LOCAL_TEE, 2, I32_STORE, I32_AT(SLOT_CHILD),
    LOCAL_GET, 2, END};

/* One more call of the cell in a local. */
#define COUNT_CALL(cell)                                                                           \
  LOCAL_GET, cell, LOCAL_GET, cell, I64_LOAD, I64_AT(CELL_CALLS), I64_CONST, 1, I64_ADD,           \
  I64_STORE, I64_AT(CELL_CALLS)

/* start (function): enters it, wherever speed does not matter. */
#define ENTER_AND_COUNT                                                                            \
  PAIR_OF_0, I32_LOAD, I32_AT(SLOT_PARENT), GLOBAL_GET, CURRENT, I32_EQ, IF, TYPE_I32,             \
  PAIR_OF_0, I32_LOAD, I32_AT(SLOT_CHILD), ELSE, LOCAL_GET, 0, CALL, ENTER, END,                   \
  LOCAL_TEE, 1, GLOBAL_SET, CURRENT, COUNT_CALL(1), END

static const listing start_code = {ENTER_AND_COUNT};

static const listing start_counting_code = {GLOBAL_GET, CLOCK, CALL, CHARGE, ENTER_AND_COUNT};

/*
 * Books instructions of the cell in a local up to the count in another, and leaves in a third what was
 * pending before.
 */
#define CHARGE_CELL(cell, count, pending)                                                          \
  LOCAL_GET, cell, LOCAL_GET, cell, I64_LOAD, I64_AT(CELL_PENDING), LOCAL_TEE, pending,            \
  LOCAL_GET, count, GLOBAL_GET, BOOKED, I64_SUB, I64_ADD, I64_STORE, I64_AT(CELL_PENDING),         \
  LOCAL_GET, count, GLOBAL_SET, BOOKED

/* Whether note has to be called: the cell is not on the list yet, or the clock is to be read. */
#define IS_NOTABLE(count, pending)                                                                 \
  LOCAL_GET, pending, I64_EQZ, LOCAL_GET, count, GLOBAL_GET, NEXT, I64_GE_U, I32_OR

/* charge (count): the same for the current cell, wherever speed does not matter. */
static const listing charge_code = {
    GLOBAL_GET, CURRENT, LOCAL_SET, 1, CHARGE_CELL(1, 0, 2),
    LOCAL_GET, 0, LOCAL_GET, 2, CALL, NOTE, END};

/* note (count, what was pending before): the rest of charging the current cell. */
static const listing note_code = {
    LOCAL_GET, 1, I64_EQZ, IF, BLOCK_VOID,
      GLOBAL_GET, TOUCHED, GLOBAL_GET, CURRENT, I32_STORE, I32_AT(0),
      GLOBAL_GET, TOUCHED, I32_CONST, 4, I32_ADD, GLOBAL_SET, TOUCHED,
    END,
    LOCAL_GET, 0, GLOBAL_GET, NEXT, I64_GE_U,
    GLOBAL_GET, TOUCHED, I32_CONST, LIST_END, I32_GE_U, I32_OR, IF, BLOCK_VOID,
      LOCAL_GET, 0, I32_CONST, 0, CALL, WINDOW,
    END, END};

/* window (count, from host): gives the runtime what is pending, and lets it read its clock. */
static const listing window_code = {
    BLOCK, BLOCK_VOID, LOOP, BLOCK_VOID,
      LOCAL_GET, 2, GLOBAL_GET, TOUCHED, I32_GE_U, BR_IF, 1,
      LOCAL_GET, 2, I32_LOAD, I32_AT(0), LOCAL_TEE, 3, TO_NODE,
      LOCAL_GET, 3, I64_LOAD, I64_AT(CELL_PENDING), CALL, PERF_CHARGE,
      LOCAL_GET, 3, I64_CONST, 0, I64_STORE, I64_AT(CELL_PENDING),
      LOCAL_GET, 2, I32_CONST, 4, I32_ADD, LOCAL_SET, 2, BR, 0,
    END, END,
    I32_CONST, 0, GLOBAL_SET, TOUCHED,
    GLOBAL_GET, CURRENT, TO_NODE, LOCAL_GET, 0, LOCAL_GET, 1, CALL, PERF_READ,
    GLOBAL_SET, NEXT, END};

/*
 * leave (count, what was pending before, caller's cell): the same where a function leaves. The host's
 * time is not the last window's, nor the next one's.
 */
static const listing leave_code = {
    LOCAL_GET, 0, LOCAL_GET, 1, CALL, NOTE,
    LOCAL_GET, 2, I32_CONST, ROOT, I32_EQ, IF, BLOCK_VOID,
      LOCAL_GET, 0, I32_CONST, 0, CALL, WINDOW, I64_CONST, 0, GLOBAL_SET, NEXT,
    END, END};

/* unwind (cell): that is where execution goes on, behind a catch or a call of the host. */
static const listing unwind_counting_code = {
    GLOBAL_GET, CLOCK, CALL, CHARGE, GLOBAL_GET, CLOCK, I32_CONST, 1, CALL, WINDOW,
    LOCAL_GET, 0, I32_CONST, ROOT, I32_EQ, IF, BLOCK_VOID,
      I64_CONST, 0, GLOBAL_SET, NEXT,
    END,
    LOCAL_GET, 0, GLOBAL_SET, CURRENT, END};
static const listing unwind_code = {LOCAL_GET, 0, GLOBAL_SET, CURRENT, END};

/* sync (): the runtime gets all counts. */
static const listing sync_code = {
    GLOBAL_GET, CURRENT, CALL, UNWIND,
    I32_CONST, ROOT, LOCAL_SET, 0,
    LOOP, BLOCK_VOID,
      LOCAL_GET, 0, TO_NODE, LOCAL_GET, 0, I64_LOAD, I64_AT(CELL_CALLS), CALL, PERF_CELL,
      LOCAL_GET, 0, I32_CONST, 1, I32_CONST, CELL_BITS, I32_SHL, I32_ADD, LOCAL_TEE, 0,
      MEMORY_SIZE, MEMORY, I32_CONST, 16, I32_SHL, I32_LT_U, BR_IF, 0,
    END,
    GLOBAL_GET, CURRENT, TO_NODE, CALL, PERF_CURRENT, END};

/* reset (): forgets all counts and nodes, as the runtime does. */
#define CLEAR_ALL \
    LOOP, BLOCK_VOID, \
      LOCAL_GET, 0, I64_CONST, 0, I64_STORE, I64_AT(0), \
      LOCAL_GET, 0, I32_CONST, 8, I32_ADD, LOCAL_TEE, 0, \
      MEMORY_SIZE, MEMORY, I32_CONST, 16, I32_SHL, I32_LT_U, BR_IF, 0, \
    END, \
    I32_CONST, ROOT, GLOBAL_SET, CURRENT

static const listing reset_counting_code = {
    CLEAR_ALL, GLOBAL_GET, CLOCK, GLOBAL_SET, BOOKED,
    I64_CONST, 0, GLOBAL_SET, NEXT, I32_CONST, 0, GLOBAL_SET, TOUCHED, END};
static const listing reset_code = {CLEAR_ALL, END};

/* ---- Code inside of functions ---------------------------------------------- */

#define ENTER_INLINED                                                                              \
  GLOBAL_GET, CURRENT, LOCAL_TEE, CALLER, PAIR, LOCAL_TEE, OWN,                                    \
  I32_LOAD, I32_AT(OWN_PARENT), LOCAL_GET, CALLER, I32_EQ, IF, TYPE_I32,                           \
  LOCAL_GET, OWN, I32_LOAD, I32_AT(OWN_CHILD), ELSE, I32_CONST, FUNCTION, CALL, ENTER, END,        \
  LOCAL_TEE, OWN, GLOBAL_SET, CURRENT, COUNT_CALL(OWN)

/* Every hook that leaves without a clock is this. */
#define LEAVE_INLINED LOCAL_GET, CALLER, GLOBAL_SET, CURRENT

static const listing inlined_start = {ENTER_INLINED};
static const listing inlined_counting_start = {
    GLOBAL_GET, CLOCK, LOCAL_SET, COUNT, GLOBAL_GET, CURRENT, LOCAL_SET, OWN,
    CHARGE_CELL(OWN, COUNT, PENDING), IS_NOTABLE(COUNT, PENDING), IF, BLOCK_VOID,
      LOCAL_GET, COUNT, LOCAL_GET, PENDING, CALL, NOTE,
    END,
    ENTER_INLINED};

static const listing inlined_end = {LEAVE_INLINED};
static const listing inlined_counting_end = {
    CHARGE_CELL(OWN, COUNT, PENDING), IS_NOTABLE(COUNT, PENDING),
    LOCAL_GET, CALLER, I32_CONST, ROOT, I32_EQ, I32_OR, IF, BLOCK_VOID,
      LOCAL_GET, COUNT, LOCAL_GET, PENDING, LOCAL_GET, CALLER, CALL, LEAVE,
    END,
    LOCAL_GET, CALLER, GLOBAL_SET, CURRENT};

static const listing inlined_unwind = {LOCAL_GET, OWN, GLOBAL_SET, CURRENT};
static const listing inlined_counting_unwind = {LOCAL_GET, OWN, CALL, UNWIND};
static const listing inlined_keep = {GLOBAL_GET, CURRENT, LOCAL_SET, OWN};
static const listing inlined_host_start = {I32_CONST, FUNCTION, CALL, START};
static const listing inlined_sync = {CALL, SYNC};

/* ---- What the host measures such hooks by ---------------------------------- */

/* x = x * 0x9e3779b1 ^ x >> 15 */
#define ROUND \
  LOCAL_GET, 0, I32_CONST, 0xb1, 0xf3, 0xdd, 0xf1, 0x79, I32_MUL, \
  LOCAL_GET, 0, I32_CONST, 15, I32_SHR_U, I32_XOR, LOCAL_SET, 0
#define ROUNDS ROUND, ROUND, ROUND, ROUND, ROUND, ROUND, ROUND, ROUND

/*
 * work (x) -> number: what a small function does, that its hooks do not follow each other so
 * closely as to wait for memory, which programs hardly ever make them do.
 */
static const listing work_code = {ROUNDS, LOCAL_GET, 0, END};

/* The same with hooks. */
enum { WORK_OWN = 1, WORK_CALLER = 2 };
static const listing hooked_work_code = {
    ENTER_INLINED, ROUNDS, LEAVE_INLINED, LOCAL_GET, 0, END};

/* Adds up, in local 1, what the function returns for as many numbers as local 0 says. */
#define SUM_OF(function) \
    LOOP, BLOCK_VOID, \
      LOCAL_GET, 1, LOCAL_GET, 0, CALL, function, I32_ADD, LOCAL_SET, 1, \
      LOCAL_GET, 0, I32_CONST, 1, I32_SUB, LOCAL_TEE, 0, BR_IF, 0, \
    END

/* measure_work (calls) -> number: calls it so often, at least once. */
static const listing measure_work_code = {SUM_OF(WORK), LOCAL_GET, 1, END};

/*
 * The same with hooks. They find their slot filled, with cells that are nobody's: without a
 * clock the list of touched cells is not used.
 */
#define NOBODY    16
#define NOBODY_IN 24
static const listing measure_hooked_work_code = {
    GLOBAL_GET, CURRENT, LOCAL_SET, 2,
    I32_CONST, NOBODY, GLOBAL_SET, CURRENT,
    GLOBAL_GET, CURRENT, PAIR, I32_CONST, NOBODY, I32_STORE, I32_AT(OWN_PARENT),
    GLOBAL_GET, CURRENT, PAIR, I32_CONST, NOBODY_IN, I32_STORE, I32_AT(OWN_CHILD),
    SUM_OF(HOOKED_WORK),
    LOCAL_GET, 2, GLOBAL_SET, CURRENT, LOCAL_GET, 1, END};
/* clang-format on */

/* ---- Symbols --------------------------------------------------------------- */

static uint32_t global_index(const wi_plan *plan, uint32_t symbol) {
  static const uint8_t places[] = {
      [CURRENT - CLOCK] = 0, [BOOKED - CLOCK] = 1, [NEXT - CLOCK] = 2, [TOUCHED - CLOCK] = 3};
  return symbol == CLOCK ? plan->clock_global
                         : plan->clock_global + plan->counts + places[symbol - CLOCK];
}

static uint32_t hook_index(const wi_plan *plan, uint32_t symbol) {
  static const wi_hook hooks[] = {WI_HOOK_ENTER, WI_HOOK_CELL, WI_HOOK_CHARGE, WI_HOOK_READ,
                                  WI_HOOK_CURRENT};
  if (symbol == PERF_ENTER && plan->counts)
    return plan->hooks[WI_HOOK_ENTER_AT];
  return plan->hooks[hooks[symbol - PERF_ENTER]];
}

/* Where there are no symbols of a function's own. */
static const wi_inline_function no_function = {0};

static uint32_t local_index(const wi_inline_function *function, uint32_t symbol) {
  switch (symbol) {
  case OWN: return function->own;
  case CALLER: return function->caller;
  case COUNT: return function->count;
  default: return function->pending;
  }
}

static int32_t constant(const wi_plan *plan, const wi_inline_function *function, uint32_t symbol) {
  switch (symbol) {
  case ROOT: return (int32_t)root_address(plan);
  case CELL_BITS: return (int32_t)cell_bits(plan);
  case LIST_END: return (int32_t)LIST_SIZE;
  case PAIR_SHIFT: return (int32_t)cell_bits(plan) - 3;
  default: return (int32_t)function->index;
  }
}

static uint32_t memory_offset(const wi_inline_function *function, uint32_t symbol) {
  bool is_own = symbol == OWN_PARENT || symbol == OWN_CHILD;
  bool is_child = symbol == SLOT_CHILD || symbol == OWN_CHILD;
  return slot_address(is_own ? function->index : 0) + (is_child ? 4 : 0);
}

static void put_symbol(const wi_plan *plan, const wi_inline_function *function, uint32_t symbol,
                       wi_buffer *out) {
  if (symbol == MEMORY)
    wi_buffer_u32(out, plan->inline_memory);
  else if (symbol <= PENDING)
    wi_buffer_u32(out, local_index(function, symbol));
  else if (symbol <= TOUCHED)
    wi_buffer_u32(out, global_index(plan, symbol));
  else if (symbol <= FUNCTION)
    wi_buffer_s32(out, constant(plan, function, symbol));
  else if (symbol <= OWN_CHILD)
    wi_buffer_u32(out, memory_offset(function, symbol));
  else if (symbol <= PERF_CURRENT)
    wi_buffer_u32(out, hook_index(plan, symbol));
  else
    wi_buffer_u32(out, plan->inline_functions[symbol - ENTER]);
}

static void put_code(const wi_plan *plan, const wi_inline_function *function, const uint16_t *code,
                     size_t count, wi_buffer *out) {
  for (size_t i = 0; i < count; ++i)
    if (code[i] < MEMORY)
      wi_buffer_u8(out, (uint8_t)code[i]);
    else
      put_symbol(plan, function, code[i], out);
}

#define PUT(plan, function, listing, out)                                                          \
  put_code(plan, function, listing, sizeof listing / sizeof *listing, out)

/* ---- The functions, as the module gets them ---------------------------------- */

typedef enum need { ALWAYS, FOR_CLOCK, FOR_HOST_CALLS, FOR_SAMPLES } need;

typedef struct listing_span {
  const uint16_t *items;
  size_t count;
} listing_span;

typedef struct helper {
  const char *name;
  bool exported; /* under its name */
  need need;
  wi_signature signature;
  const char *locals; /* one byte each; all are of the type of the first */
  listing_span code;
  listing_span counting_code; /* instead, with a clock; empty: the same */
} helper;

#define SPAN(code)                                                                                 \
  { code, sizeof code / sizeof *code }

/* In the order of their symbols. */
static const helper helpers[] = {
    {"wasm_perf_enter", false, ALWAYS, WI_SIGNATURE_I32_TO_I32, "\x7f\x7f", SPAN(enter_code), {0}},
    {"wasm_perf_start", false, FOR_HOST_CALLS, WI_SIGNATURE_I32_TO_NONE, "\x7f", SPAN(start_code),
     SPAN(start_counting_code)},
    {"wasm_perf_charge",
     false,
     FOR_CLOCK,
     WI_SIGNATURE_I64_TO_NONE,
     "\x7f\x7e",
     SPAN(charge_code),
     {0}},
    {"wasm_perf_note", false, FOR_CLOCK, WI_SIGNATURE_TWO_I64_TO_NONE, "", SPAN(note_code), {0}},
    {"wasm_perf_window",
     false,
     FOR_CLOCK,
     WI_SIGNATURE_I64_I32_TO_NONE,
     "\x7f\x7f",
     SPAN(window_code),
     {0}},
    {"wasm_perf_leave",
     false,
     FOR_CLOCK,
     WI_SIGNATURE_TWO_I64_I32_TO_NONE,
     "",
     SPAN(leave_code),
     {0}},
    {"wasm_perf_unwind", true, ALWAYS, WI_SIGNATURE_I32_TO_NONE, "", SPAN(unwind_code),
     SPAN(unwind_counting_code)},
    {"wasm_perf_sync", true, ALWAYS, WI_SIGNATURE_NONE_TO_NONE, "\x7f", SPAN(sync_code), {0}},
    {"wasm_perf_reset", true, ALWAYS, WI_SIGNATURE_NONE_TO_NONE, "\x7f", SPAN(reset_code),
     SPAN(reset_counting_code)},
    {"wasm_perf_work", false, FOR_SAMPLES, WI_SIGNATURE_I32_TO_I32, "", SPAN(work_code), {0}},
    {"wasm_perf_hooked_work",
     false,
     FOR_SAMPLES,
     WI_SIGNATURE_I32_TO_I32,
     "\x7f\x7f",
     SPAN(hooked_work_code),
     {0}},
    {"wasm_perf_measure_work",
     true,
     FOR_SAMPLES,
     WI_SIGNATURE_I32_TO_I32,
     "\x7f",
     SPAN(measure_work_code),
     {0}},
    {"wasm_perf_measure_hooked_work",
     true,
     FOR_SAMPLES,
     WI_SIGNATURE_I32_TO_I32,
     "\x7f\x7f",
     SPAN(measure_hooked_work_code),
     {0}},
};
#define HELPER_COUNT (sizeof helpers / sizeof *helpers)

_Static_assert(HELPER_COUNT == WI_INLINE_FUNCTION_COUNT, "the plan has a place for each");
_Static_assert(HELPER_COUNT == MEASURE_HOOKED_WORK - ENTER + 1, "each has a symbol");

#define CURRENT_EXPORT "wasm_perf_current" /* the global */
#define MEMORY_EXPORT  "wasm_perf_memory"

static bool is_needed(const wi_plan *plan, const helper *function) {
  switch (function->need) {
  case FOR_CLOCK: return plan->counts;
  case FOR_HOST_CALLS: return plan->host_calls;
  case FOR_SAMPLES: return plan->samples;
  default: return true;
  }
}

bool wi_inline_is_taken(const wi_module *module) {
  for (uint32_t i = 0; i < module->exports_count; ++i)
    if (wi_module_span_begins(module, module->exports[i].name, "wasm_perf_"))
      return true;
  return false;
}

void wi_inline_plan(wi_plan *plan) {
  uint32_t next = first_added(plan);
  plan->inline_memory = wi_module_index_count(plan->module, WI_EXTERN_MEMORY, WI_SECTION_MEMORY);
  for (size_t i = 0; i < HELPER_COUNT; ++i) {
    if (!is_needed(plan, &helpers[i]))
      continue;
    plan->inline_functions[i] = next++;
    wi_plan_need_type(plan, helpers[i].signature);
    plan->inline_function_count++;
  }
}

/* ---- Sections --------------------------------------------------------------- */

static uint32_t count_exported(const wi_plan *plan) {
  uint32_t count = 0;
  for (size_t i = 0; i < HELPER_COUNT; ++i)
    count += helpers[i].exported && is_needed(plan, &helpers[i]);
  return count;
}

uint32_t wi_inline_count(const wi_plan *plan, wi_section_id id) {
  if (!plan->inlines)
    return 0;
  switch (id) {
  case WI_SECTION_FUNCTION:
  case WI_SECTION_CODE: return plan->inline_function_count;
  case WI_SECTION_MEMORY: return 1;
  case WI_SECTION_GLOBAL: return plan->counts ? 4 : 1;
  case WI_SECTION_EXPORT: return count_exported(plan) + 2;
  default: return 0;
  }
}

static void put_memory(const wi_plan *plan, wi_buffer *out) {
  enum { HAS_MAXIMUM = 1 };
  wi_buffer_u8(out, HAS_MAXIMUM);
  wi_buffer_u32(out, (root_address(plan) + FIRST_CELL_ROOM + PAGE_SIZE - 1) / PAGE_SIZE);
  wi_buffer_u32(out, MAX_PAGE_COUNT);
}

static void put_globals(const wi_plan *plan, wi_buffer *out) {
  static const listing current = {TYPE_I32, MUTABLE, I32_CONST, ROOT, END};
  static const listing of_clock = {
      TYPE_I64, MUTABLE, I64_CONST, 0, END, /* booked */
      TYPE_I64, MUTABLE, I64_CONST, 0, END, /* next */
      TYPE_I32, MUTABLE, I32_CONST, 0, END, /* touched */
  };
  PUT(plan, &no_function, current, out);
  if (plan->counts)
    PUT(plan, &no_function, of_clock, out);
}

static void put_exports(const wi_plan *plan, wi_buffer *out) {
  for (size_t i = 0; i < HELPER_COUNT; ++i) {
    if (!helpers[i].exported || !is_needed(plan, &helpers[i]))
      continue;
    wi_buffer_name(out, helpers[i].name);
    wi_buffer_u8(out, WI_EXTERN_FUNCTION);
    wi_buffer_u32(out, plan->inline_functions[i]);
  }
  wi_buffer_name(out, CURRENT_EXPORT);
  wi_buffer_u8(out, WI_EXTERN_GLOBAL);
  wi_buffer_u32(out, global_index(plan, CURRENT));
  wi_buffer_name(out, MEMORY_EXPORT);
  wi_buffer_u8(out, WI_EXTERN_MEMORY);
  wi_buffer_u32(out, plan->inline_memory);
}

static void put_body(const wi_plan *plan, const helper *function, wi_buffer *out) {
  bool counting = plan->counts && function->counting_code.count > 0;
  const listing_span *code = counting ? &function->counting_code : &function->code;
  size_t start = wi_buffer_sized_begin(out, 0);
  wi_buffer_u32(out, (uint32_t)strlen(function->locals));
  for (const char *type = function->locals; *type; ++type) {
    wi_buffer_u8(out, 1);
    wi_buffer_u8(out, (uint8_t)*type);
  }
  const wi_inline_function own = {
      .index = first_added(plan), .own = WORK_OWN, .caller = WORK_CALLER};
  put_code(plan, &own, code->items, code->count, out);
  wi_buffer_sized_end(out, start, 0);
}

void wi_inline_put_items(const wi_plan *plan, wi_section_id id, wi_buffer *out) {
  if (wi_inline_count(plan, id) == 0)
    return;
  if (id == WI_SECTION_MEMORY)
    put_memory(plan, out);
  else if (id == WI_SECTION_GLOBAL)
    put_globals(plan, out);
  else if (id == WI_SECTION_EXPORT)
    put_exports(plan, out);
  for (size_t i = 0; i < HELPER_COUNT; ++i) {
    if (!is_needed(plan, &helpers[i]))
      continue;
    if (id == WI_SECTION_FUNCTION)
      wi_buffer_u32(out, plan->signature_types[helpers[i].signature]);
    else if (id == WI_SECTION_CODE)
      put_body(plan, &helpers[i], out);
  }
}

void wi_inline_put_names(const wi_plan *plan, wi_buffer *out) {
  for (size_t i = 0; i < HELPER_COUNT && plan->inlines; ++i) {
    if (!is_needed(plan, &helpers[i]))
      continue;
    wi_buffer_u32(out, plan->inline_functions[i]);
    wi_buffer_name(out, helpers[i].name);
  }
}

/* ---- Code for functions ------------------------------------------------------ */

void wi_inline_put_start(const wi_plan *plan, const wi_inline_function *function, wi_buffer *out) {
  if (plan->counts)
    PUT(plan, function, inlined_counting_start, out);
  else
    PUT(plan, function, inlined_start, out);
}

void wi_inline_put_end(const wi_plan *plan, const wi_inline_function *function, wi_buffer *out) {
  if (plan->counts)
    PUT(plan, function, inlined_counting_end, out);
  else
    PUT(plan, function, inlined_end, out);
}

void wi_inline_put_unwind(const wi_plan *plan, const wi_inline_function *function, wi_buffer *out) {
  if (plan->counts)
    PUT(plan, function, inlined_counting_unwind, out);
  else
    PUT(plan, function, inlined_unwind, out);
}

void wi_inline_put_keep(const wi_plan *plan, const wi_inline_function *function, wi_buffer *out) {
  PUT(plan, function, inlined_keep, out);
}

void wi_inline_put_host_start(const wi_plan *plan, uint32_t index, wi_buffer *out) {
  const wi_inline_function function = {.index = index};
  PUT(plan, &function, inlined_host_start, out);
}

void wi_inline_put_sync(const wi_plan *plan, wi_buffer *out) {
  PUT(plan, &no_function, inlined_sync, out);
}
