/*
 * How a program with the embedded runtime hands over its profile when it ends, or when an export returns: to a file, as
 * lines of text, or not at all, so that its host must read it.
 */
#ifndef WI_HOOKS_EMBEDDED_OUTLET_H_
#define WI_HOOKS_EMBEDDED_OUTLET_H_

#include "hooks/embedded/image.h"
#include "hooks/ends.h"

/* Whether the program exports a memory by the name that WASI hosts look for, at *memory: one of 32
 * bits with a page from the start. */
bool wi_outlet_find_memory(const wi_module *module, uint32_t *memory);

/* How a program writes its profile. */
typedef struct wi_outlet {
  wi_ends ends;          /* where it ends */
  const char *writer;    /* the image's export that writes the profile there; NULL: none does */
  const char *writer_at; /* and the one for exports that write it when they return; NULL: none do */
  bool has_clock;        /* WASI's clock can be asked, by a program that writes a file */
  uint32_t memory;       /* of the program, which hosts read; with either */
} wi_outlet;

/*
 * Chooses the outlet. A WASI command writes a file when it ends, as does any program of WASI at options->write_at. With
 * options->to_stderr, text is written through imports that the program already has, so none is added; with write_at also
 * through its host's functions for text. Returns false if write_at or write_by are impossible, or memory ran out. A
 * module that `is_part` of a component is then without an outlet.
 */
bool wi_outlet_choose(wi_outlet *outlet, const wi_module *module, const wi_options *options,
                      bool is_part, wi_image *image, wi_error *error);

/*
 * Whether a host may go on to call other exports after _start, when a writer has written the
 * profile. Allocators and what toolchains add do not count.
 */
bool wi_outlet_is_start_only(const wi_module *module);

#endif /* WI_HOOKS_EMBEDDED_OUTLET_H_ */
