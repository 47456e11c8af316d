/*
 * The instruction scanner: walks function bodies and constant expressions once and records
 * the places that a rewriter may want to change. It knows nothing of what will be inserted.
 */
#ifndef WI_CODE_SCAN_H_
#define WI_CODE_SCAN_H_

#include "module/module.h"

typedef enum wi_site_kind {
  WI_SITE_NONE,           /* reserved where a later site may show it to be a landing pad */
  WI_SITE_FUNCTION_INDEX, /* the bytes are a function index: value */
  WI_SITE_IMPORT_CALL,    /* the bytes are a call of the imported function value */
  WI_SITE_RETURN,         /* a return instruction */
  WI_SITE_BRANCH_OUT,     /* an unconditional branch to the function's label */
  WI_SITE_TAIL_CALL,      /* a return_call*; of function value, or WI_NO_FUNCTION if unknown */
  WI_SITE_LANDING_PAD,    /* landing pad: a caught exception may continue here */
  WI_SITE_BEFORE_CALL,    /* any other call that returns, of function value or, if that is unknown,
                             WI_NO_FUNCTION; only where calls are wanted */
  WI_SITE_AFTER_CALL,     /* after it */
  WI_SITE_THROW,          /* a throw instruction; only where basic blocks are wanted */
  WI_SITE_BASIC_BLOCK,    /* the end of a basic block of value instructions */
  WI_SITE_REFERENCE,      /* as WI_SITE_FUNCTION_INDEX, of a ref.func */
  WI_SITE_UNREACHABLE,    /* an unreachable instruction; only where calls are wanted */
  WI_SITE_GLOBAL_INDEX,   /* these three only where indices are wanted: the bytes are a global */
  WI_SITE_MEMORY_INDEX,   /* index, a memory index of memory.size or memory.grow, or the flags of */
  WI_SITE_MEMARG,         /* a memory access without memory index: value */
  WI_SITE_OPCODE,       /* an instruction whose opcode is wanted: value, as wi_instruction has it */
  WI_SITE_STORE,        /* an i32.store in memory 0 with the offset value, which is the wanted
                             one or, where just before that was added to something, 0 */
  WI_SITE_STORED,       /* an instruction before which straight code with one of these ends,
                             before its other sites */
  WI_SITE_INSTRUCTION,  /* one begins here, before its other sites; value: whether it is counted;
                             only where instructions are wanted */
  WI_SITE_LABEL,        /* these only where the flow of control is wanted: a structured */
  WI_SITE_ARM,          /* instruction begins, value: wi_label_trait; its else, catch or */
  WI_SITE_LABEL_END,    /* catch_all; its end or delegate; */
  WI_SITE_BRANCH,       /* a br to label value; */
  WI_SITE_BRANCH_IF,    /* a branch to label value that may not be taken; */
  WI_SITE_BRANCH_TABLE, /* a br_table, followed by as many sites as value, */
  WI_SITE_BRANCH_TARGET /* each of a label that it may go to */
} wi_site_kind;

/* What a structured instruction is, and how its label is reached. */
typedef enum wi_label_trait {
  WI_LABEL_LOOP = 1,
  WI_LABEL_IF = 2,
  WI_LABEL_TRY = 4, /* a legacy one */
  WI_LABEL_ELSE = 8,
  WI_LABEL_TARGET = 16,       /* by some branch or clause, among them */
  WI_LABEL_TABLE_TARGET = 32, /* br_table */
  WI_LABEL_CATCHES = 64       /* clause of a try_table */
} wi_label_trait;

typedef struct wi_site {
  uint32_t offset; /* in the input; sites are in increasing order of it */
  uint32_t value;
  uint8_t kind; /* wi_site_kind */
  uint8_t size; /* bytes of the index, of the call, of the wanted instruction or of the store, else
                   0 */
} wi_site;

/*
 * What a scan records beside the sites that any rewriter needs. Filled in before the first scan
 * that it is for; scans only read it.
 */
typedef struct wi_scan_wants {
  bool basic_blocks;    /* their ends, and throws */
  bool calls;           /* what stands before and after calls, and unreachable */
  bool indices;         /* immediates that name memories and globals */
  bool instructions;    /* each of them */
  bool flow;            /* labels and branches */
  uint32_t opcodes[16]; /* see wi_scan_want_opcode */
  uint32_t opcode_count;
  uint32_t stored_offset; /* stores of i32 in memory 0 at that offset; 0: none are */
  uint32_t stored_by;     /* the only body of which these are, or WI_NO_FUNCTION */
} wi_scan_wants;

/* An opcode behind a prefix, 0xfb to 0xfe. Others are their byte. */
#define WI_PREFIXED(prefix, code) ((uint32_t)(prefix) << 16 | (code))

/*
 * A cursor at the immediates of a WI_SITE_OPCODE. They were read before: *ignored stays without an
 * error.
 */
wi_cursor wi_site_operands(const wi_module *module, const wi_site *site, wi_error *ignored);

/* Adds an opcode to the wanted ones. Instructions of control flow have sites of their own. */
void wi_scan_want_opcode(wi_scan_wants *wants, uint32_t opcode);

/* One open structured instruction. */
typedef struct wi_label {
  uint32_t site;       /* loops: the site that may become a landing pad */
  uint32_t start_site; /* its WI_SITE_LABEL */
  uint32_t table;      /* offset of the last br_table that may go to it */
  uint8_t opcode;
  bool landing_pad; /* a try_table clause continues after its end */
  bool target;      /* some branch continues after its end */
} wi_label;

/*
 * A scan and its findings. Zero it, use it for any number of scans (each replaces the findings
 * before it), clear it.
 */
typedef struct wi_scan {
  const wi_scan_wants *wants; /* of the scan at hand, never NULL in one */
  WI_ARRAY(wi_site, sites);
  WI_ARRAY(wi_label, labels);
  uint32_t code_offset;       /* first instruction */
  uint32_t end_offset;        /* the final end */
  uint32_t local_count;       /* declared locals, without parameters */
  uint32_t instruction_count; /* without else, end, catch and delegate */
  uint32_t closed_count;      /* of these, the ones in basic blocks that have ended */
  uint32_t structured_count;  /* structured instructions */
  uint32_t call_count;        /* calls of all kinds */
  uint32_t basic_block_count; /* wanted or not */
  bool conditional_exit;      /* br_if, br_table, br_on_* or a catch to the function's label */
  bool catch_to_function;     /* a try_table clause to the function's label */
  uint32_t exit_traits;       /* of the function's label, wi_label_trait */
  uint32_t exit_table;        /* offset of the last br_table that may go to it */
  bool catches;               /* a try or a try_table */
  bool reads_references;      /* may get one out of a table or an array's elements */
  bool watches_stores;        /* they are wanted of this body */
  bool adds_offset;           /* stored_offset, in the straight run of instructions at hand */
  bool has_store;             /* a WI_SITE_STORE is in that run */
  uint32_t opcode_count;      /* of WI_SITE_OPCODE */
} wi_scan;

void wi_scan_clear(wi_scan *scan);

/* Forgets the findings, keeps the memory. Nothing is wanted. */
void wi_scan_reset(wi_scan *scan);

void wi_scan_add_site(wi_scan *scan, wi_cursor *cursor, wi_site site);

/* Reads a function index and records it as a site of that kind. */
uint32_t wi_scan_index(wi_scan *scan, const wi_module *module, wi_cursor *cursor,
                       wi_site_kind kind);

#endif /* WI_CODE_SCAN_H_ */
