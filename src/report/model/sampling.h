/* What the samples of a profile show, and what they cannot show. */
#ifndef WI_REPORT_MODEL_SAMPLING_H_
#define WI_REPORT_MODEL_SAMPLING_H_

#include <stdbool.h>
#include <stdint.h>

#include "report/model/tree.h"

#define WI_HOOKS_ADVICE                                                                            \
  "The hooks of its calls take a part of the time. See wasm-perf record --budget."

/* What is known of a function's own time: X(id, words, what it means and what to do). */
#define WI_TIME_NOTES(X)                                                                           \
  X(NONE, "", "")                                                                                  \
  X(IN_CALLER, "in its caller",                                                                    \
    "The engine inlined it. wasm-perf record --no-inlining shows its own time.")                   \
  X(SHIFTED, "differs without hooks", WI_HOOKS_ADVICE) /* its share does */                        \
  X(COMPILING, "may be compilation",                                                               \
    "All its samples are in one piece, before it first called a function. The engine may have "    \
    "been compiling what it calls.")                                                               \
  X(MOSTLY_HOOKS, "mostly hooks",                                                                  \
    "Hooks may have taken much of the time. See wasm-perf record --clock sampled or "              \
    "instructions.")

typedef enum wi_time_note {
#define WI_TIME_NOTE_ENUM(id, words, advice) WI_TIME_##id,
  WI_TIME_NOTES(WI_TIME_NOTE_ENUM)
#undef WI_TIME_NOTE_ENUM
      WI_TIME_NOTE_COUNT
} wi_time_note;

const char *wi_time_note_text(wi_time_note note);
const char *wi_time_note_advice(wi_time_note note);

/* Whether the function's time is too doubtful to divide it by its calls. */
bool wi_time_note_hides_mean(wi_time_note note);

/*
 * Per label, what its samples and calls say together. A time in the caller: if each of the calls
 * took only a nanosecond, it had more. A share that differs without hooks: by more than three
 * points, if the hooks of a call take a nanosecond of a processor in the caller and in the callee.
 * Whether it is larger without them is not said: hooks also keep V8 from inlining. A time that may
 * be compilation: V8 compiles a function when it is first called, in its caller's time, so all
 * samples of the caller are in one piece that is no longer than compiling all code takes.
 * On a wall clock, hooks take at least what the runtime measured, which is subtracted, and at most
 * the shortest call of the run; a time is mostly hooks if they may have had a third of it.
 */
typedef struct wi_time_notes {
  uint8_t *of;            /* per label a wi_time_note; owned */
  uint32_t shifted_count; /* labels whose share differs without hooks */
  uint32_t most_shifted;  /* of them, the label with the largest self time */
  uint32_t hook_count;    /* labels whose time is mostly hooks */
  uint32_t most_hooks;    /* of them, the label with the largest self time */
  double hook_time;       /* nanoseconds of all of them, in the report */
  double hook_part;       /* of the processor's time, that all hooks take */
  bool is_starved;        /* threads had work but no processor, for long */
  double core_part;       /* of a core, that the threads had while they worked; 0: not known */
} wi_time_notes;

/* Returns false if memory ran out. */
bool wi_time_notes_init(wi_time_notes *notes, const wasm_perf_profile *profile,
                        const wi_tree *tree);
void wi_time_notes_clear(wi_time_notes *notes);

/* The profile's whole time in the tree's unit, including what is not shown. */
uint64_t wi_whole_time(const wi_tree *tree);

/* Nanoseconds with a processor per sample; 0 if times are not from samples. */
uint64_t wi_sample_period(const wi_tree *tree);

/* The standard deviation of a part of the time that is shown, from the number of samples in both. */
uint64_t wi_sample_share_error(const wi_tree *tree, uint64_t part);

#endif /* WI_REPORT_MODEL_SAMPLING_H_ */
