/*
 * Profiles in text. A program that can write only messages (wasm-instrument --stderr, and all
 * components) writes its profile between them, in lines of
 *
 *     [wasm-perf+BASE64]
 *     [wasm-perf=BASE64]      the last one of a profile
 *
 * with up to 3000 bytes of the .wperf file in each.
 */
#ifndef WI_CLI_PERF_INPUT_TEXT_LINES_H_
#define WI_CLI_PERF_INPUT_TEXT_LINES_H_

#include "module/module.h"
#include "support/buffer.h"

/* Extracts such lines from text that arrives in pieces. Zero it before use; clear it afterwards. */
typedef struct cli_text_lines {
  wi_buffer text;                /* the other text; the caller reads and empties it */
  wi_buffer held;                /* the begin of a line that may belong to a profile */
  wi_buffer profile;             /* decoded from the lines so far */
  WI_ARRAY(wi_buffer, profiles); /* complete ones */
  bool ends_line;                /* a line of a profile has just ended */
} cli_text_lines;

void cli_text_lines_feed(cli_text_lines *lines, const uint8_t *bytes, size_t size);

/* Ends the text: a line held back becomes other text. False if memory ran out. */
bool cli_text_lines_end(cli_text_lines *lines);
void cli_text_lines_clear(cli_text_lines *lines);

#endif /* WI_CLI_PERF_INPUT_TEXT_LINES_H_ */
