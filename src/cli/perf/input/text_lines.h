/*
 * Profiles in text: a program that can write nothing but messages (wasm-instrument --stderr, and
 * all components) writes its profile among them, in lines of
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

/* Takes such lines out of a text that comes in pieces. Zero it before; clear it after. */
typedef struct cli_text_lines {
  wi_buffer text;                /* what is not of profiles; the caller takes and empties it */
  wi_buffer held;                /* what may become a line of a profile */
  wi_buffer profile;             /* of the lines so far */
  WI_ARRAY(wi_buffer, profiles); /* complete ones */
  bool ends_line;                /* a line of a profile has just ended */
} cli_text_lines;

void cli_text_lines_feed(cli_text_lines *lines, const uint8_t *bytes, size_t size);

/* The text ends: what is held back is text. False where memory ran out. */
bool cli_text_lines_end(cli_text_lines *lines);
void cli_text_lines_clear(cli_text_lines *lines);

#endif /* WI_CLI_PERF_INPUT_TEXT_LINES_H_ */
