/*
 * How a program with the embedded runtime hands over its profile when it ends: to a file, as lines
 * of text on stderr, or not at all, so that its host must read it.
 */
#ifndef WI_HOOKS_EMBEDDED_OUTLET_H_
#define WI_HOOKS_EMBEDDED_OUTLET_H_

#include "hooks/embedded/image.h"
#include "hooks/ends.h"

/* Whether the program exports a memory by the name that WASI hosts look for, at *memory: one of 32
 * bits with a page from the start. */
bool wi_outlet_find_memory(const wi_module *module, uint32_t *memory);

/*
 * Finds where the program ends, *ends, and chooses how it writes its profile there. *writer becomes the image's export that writes it, through the program's memory of index
 * *memory, which hosts read; or NULL. A WASI command writes a file. With options->to_stderr, a
 * command writes text through imports that it already has, so none is added. Returns false if
 * memory ran out.
 */
bool wi_outlet_choose(const wi_module *module, const wi_options *options, wi_ends *ends,
                      wi_image *image, const char **writer, uint32_t *memory, wi_error *error);

/*
 * Whether a host may go on to call other exports after _start, when a writer has written the
 * profile. Allocators and what toolchains add do not count.
 */
bool wi_outlet_is_start_only(const wi_module *module);

#endif /* WI_HOOKS_EMBEDDED_OUTLET_H_ */
