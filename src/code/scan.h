/*
 * The instruction scanner: walks function bodies and constant expressions once and records the
 * places that a rewriter may want to change. It does not depend on what will be inserted.
 */
#ifndef WI_CODE_SCAN_H_
#define WI_CODE_SCAN_H_

#include "module/module.h"

typedef enum wi_site_kind {
  WI_SITE_NONE,           /* reserved: a later instruction may turn it into a landing pad */
  WI_SITE_FUNCTION_INDEX, /* the bytes are a function index: value */
  WI_SITE_IMPORT_CALL,    /* the bytes are a call of the imported function value */
  WI_SITE_RETURN,         /* a return instruction */
  WI_SITE_BRANCH_OUT,     /* an unconditional branch to the function's label */
  WI_SITE_TAIL_CALL,      /* a return_call*; value: the function, or WI_NO_FUNCTION if unknown */
  WI_SITE_LANDING_PAD,    /* a caught exception may continue here */
  WI_SITE_BEFORE_CALL,    /* any other call that returns; value: the function, or WI_NO_FUNCTION if
                             unknown; only if calls are wanted */
  WI_SITE_AFTER_CALL,     /* the place after that call */
  WI_SITE_THROW,          /* a throw instruction; only if basic blocks are wanted */
  WI_SITE_BASIC_BLOCK,    /* end of a basic block; value: its instructions, 0 for an edge */
  WI_SITE_TABLE_EDGES,    /* a br_table; value: its entries; only if edges are wanted */
  WI_SITE_REFERENCE,      /* like WI_SITE_FUNCTION_INDEX, in a ref.func */
  WI_SITE_UNREACHABLE,    /* an unreachable instruction; only if calls are wanted */
  WI_SITE_GLOBAL_INDEX,   /* this and the next two only if indices are wanted: the bytes are a
                             global index */
  WI_SITE_MEMORY_INDEX,   /* a memory index of memory.size or memory.grow */
  WI_SITE_MEMARG,         /* flags of a memory access without a memory index: value */
  WI_SITE_OPCODE,         /* an instruction with a wanted opcode; value: as in wi_instruction */
  WI_SITE_STORE,        /* an i32.store to memory 0; value: its offset, which is the wanted one, or
                           0 if the wanted one was added to something just before */
  WI_SITE_STORED,       /* the first instruction after straight code with such a store; precedes its
                           other sites */
  WI_SITE_INSTRUCTION,  /* start of an instruction, precedes its other sites; value: whether it is
                           counted; only if instructions are wanted */
  WI_SITE_LABEL,        /* this and all below only if control flow is wanted: start of a structured
                           instruction; value: wi_label_trait */
  WI_SITE_ARM,          /* its else, catch or catch_all */
  WI_SITE_LABEL_END,    /* its end or delegate */
  WI_SITE_BRANCH,       /* a br to label value */
  WI_SITE_BRANCH_IF,    /* a conditional branch to label value */
  WI_SITE_BRANCH_TABLE, /* a br_table, followed by value sites of targets */
  WI_SITE_BRANCH_TARGET /* label value as target of the br_table */
} wi_site_kind;

/* The kind of a structured instruction, and how its label is reached. */
typedef enum wi_label_trait {
  WI_LABEL_LOOP = 1,
  WI_LABEL_IF = 2,
  WI_LABEL_TRY = 4, /* legacy */
  WI_LABEL_ELSE = 8,
  WI_LABEL_TARGET = 16,       /* by any branch or clause, including the next two */
  WI_LABEL_TABLE_TARGET = 32, /* by a br_table */
  WI_LABEL_CATCHES = 64       /* by a clause of a try_table */
} wi_label_trait;

typedef struct wi_site {
  uint32_t offset; /* in the input; sites are sorted by it */
  uint32_t value;
  uint8_t kind; /* wi_site_kind */
  uint8_t size; /* bytes of the index, call, wanted instruction or store; else 0 */
} wi_site;

/*
 * What to record in addition to the sites that every rewriter needs. Fill it in before the first
 * scan; scans only read it.
 */
typedef struct wi_scan_wants {
  bool basic_blocks;    /* their ends, and throws */
  bool edges;           /* with basic blocks: the ways past conditional branches that reach no
                           instruction before another way joins them, and entries of br_table */
  bool calls;           /* places before and after calls, and unreachable */
  bool indices;         /* immediates that are memory or global indices */
  bool instructions;    /* every instruction */
  bool flow;            /* labels and branches */
  bool accesses;        /* WI_SITE_OPCODE of every instruction that uses a memory */
  uint32_t opcodes[48]; /* more than all followers together want; see wi_scan_want_opcode */
  uint32_t opcode_count;
  uint32_t stored_offset; /* i32.store to memory 0 at that offset; 0: none */
  uint32_t stored_by;     /* search only this body for them; WI_NO_FUNCTION: all */
} wi_scan_wants;

/* An opcode after a prefix 0xfb to 0xfe. Opcodes without a prefix are their byte. */
#define WI_PREFIXED(prefix, code) ((uint32_t)(prefix) << 16 | (code))

/*
 * Returns a cursor at the immediates of a WI_SITE_OPCODE. They were read before, so *ignored stays
 * without an error.
 */
wi_cursor wi_site_operands(const wi_module *module, const wi_site *site, wi_error *ignored);

/* Adds a wanted opcode. Not for control instructions, which have their own sites. */
void wi_scan_want_opcode(wi_scan_wants *wants, uint32_t opcode);

/* One open structured instruction. */
typedef struct wi_label {
  uint32_t site;       /* in a loop: the site that may become a landing pad */
  uint32_t start_site; /* its WI_SITE_LABEL */
  uint32_t table;      /* offset of the last br_table with this target */
  uint8_t opcode;
  bool landing_pad; /* a try_table clause continues after its end */
  bool target;      /* some branch continues at its end */
} wi_label;

/*
 * A scan and its results. Zero it, use it for any number of scans (each replaces the previous
 * results), clear it.
 */
typedef struct wi_scan {
  const wi_scan_wants *wants; /* of the current scan, during which it is not NULL */
  WI_ARRAY(wi_site, sites);
  WI_ARRAY(wi_label, labels);
  uint32_t code_offset;       /* first instruction */
  uint32_t end_offset;        /* the final end */
  uint32_t local_count;       /* declared locals, excluding parameters */
  uint32_t instruction_count; /* excluding else, end, catch and delegate */
  uint32_t closed_count;      /* instructions in basic blocks that have ended */
  uint32_t structured_count;  /* structured instructions */
  uint32_t call_count;        /* calls of all kinds */
  uint32_t basic_block_count; /* counted even if not wanted; includes wanted edges */
  bool after_branch;          /* the last block ended in a conditional branch */
  bool has_table_edges;       /* there is a WI_SITE_TABLE_EDGES */
  bool conditional_exit;      /* br_if, br_table, br_on_* or a catch to the function's label */
  bool catch_to_function;     /* a try_table clause to the function's label */
  uint32_t exit_traits;       /* wi_label_trait of the function's label */
  uint32_t exit_table;        /* offset of the last br_table with that target */
  bool catches;               /* it has a try or try_table */
  bool reads_references;      /* it may read one from a table or an array of elements */
  bool watches_stores;        /* stores are wanted in this body */
  bool adds_offset;           /* stored_offset was added in the current straight code */
  bool has_store;             /* there is a WI_SITE_STORE in that code */
  uint32_t opcode_count;      /* number of WI_SITE_OPCODE sites */
} wi_scan;

void wi_scan_clear(wi_scan *scan);

/* Drops the results but keeps the memory. Nothing is wanted afterwards. */
void wi_scan_reset(wi_scan *scan);

void wi_scan_add_site(wi_scan *scan, wi_cursor *cursor, wi_site site);

/*
 * Reads a function index and records it as a site of that kind. Fails the cursor if it is out of
 * range.
 */
uint32_t wi_scan_index(wi_scan *scan, const wi_module *module, wi_cursor *cursor,
                       wi_site_kind kind);

#endif /* WI_CODE_SCAN_H_ */
