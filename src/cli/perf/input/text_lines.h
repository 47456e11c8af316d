/*
 * Profiles in text. A program that can write only messages (wasm-instrument --stderr and --write-at, and all
 * components) writes its profile between them, in lines of
 *
 *     [wasm-perf ID.NUMBER+BASE64]
 *     [wasm-perf ID.NUMBER=BASE64]      the last one of a profile
 *
 * with up to 3000 bytes of the .wperf file in each. ID, 16 hexadecimal digits, is the same in all lines of a profile,
 * and NUMBER counts them from 0. So the lines of several instances may be mixed. Instances that did the same write the
 * same profile, so a line that is there again belongs to another one; unless what precedes it in the text's line is the
 * same, too, as the time and the source are in logs: then a log has it twice.
 */
#ifndef WI_CLI_PERF_INPUT_TEXT_LINES_H_
#define WI_CLI_PERF_INPUT_TEXT_LINES_H_

#include "module/module.h"
#include "support/buffer.h"

/* A line of a profile. */
typedef struct cli_text_line {
  uint64_t id;
  uint32_t number;
  bool is_last;
  uint64_t before;     /* hash of what precedes it in the text's line; 0: nothing does */
  size_t offset, size; /* its bytes, in cli_text_lines.bytes */
} cli_text_line;

/* Extracts such lines from text that arrives in pieces. Zero it before use; clear it afterwards. */
typedef struct cli_text_lines {
  wi_buffer text;                 /* the other text; the caller reads and empties it */
  wi_buffer held;                 /* the begin of a line that may belong to a profile */
  wi_buffer bytes;                /* decoded */
  uint64_t before;                /* hash of the current line of text */
  WI_ARRAY(cli_text_line, lines); /* sorted at the end */
  bool ends_line;                 /* a line of a profile has just ended */
  /* At the end: */
  WI_ARRAY(wi_buffer, profiles); /* complete ones */
  uint32_t incomplete_count;     /* of profiles that lack lines */
  char missing[64];              /* the first of these lines, as text */
  uint32_t repeated_count;       /* of lines that a log has twice */
  uint32_t cut_count;            /* of lines that are not whole; they stay in the text */
} cli_text_lines;

void cli_text_lines_feed(cli_text_lines *lines, const uint8_t *bytes, size_t size);

/* Ends the text: a line held back becomes other text. False if memory ran out. */
bool cli_text_lines_end(cli_text_lines *lines);
void cli_text_lines_clear(cli_text_lines *lines);

#endif /* WI_CLI_PERF_INPUT_TEXT_LINES_H_ */
