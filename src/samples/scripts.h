/* Names and places of JavaScript functions, as reports show them. */
#ifndef WI_SAMPLES_SCRIPTS_H_
#define WI_SAMPLES_SCRIPTS_H_

#include "samples/samples.h"
#include "support/file_reader.h"

/*
 * Completes the names of frames that have a place. Functions of a script with a source map, which
 * `read` reads, get their names and places from there. A function without a name is named by its
 * place. So is one far to the right: minified code has only one line. Call it once, after all
 * frames were added. Returns false if out of memory.
 */
bool wi_scripts_place(wi_samples *samples, wi_file_reader *read);

#endif /* WI_SAMPLES_SCRIPTS_H_ */
