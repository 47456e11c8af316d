/*
 * Completes the function names of a Go program, stripped or not, from the function table of Go's
 * runtime.
 */
#ifndef WI_MODULE_GO_NAMES_H_
#define WI_MODULE_GO_NAMES_H_

#include "module/module.h"
#include "support/buffer.h"

/*
 * If the module contains that table, stores a copy of the module with full names in its name
 * section in *named: for example main.(*printer).print instead of main.__printer_.print, as Go's
 * linker writes it. *module is then read again from *named and borrows from it; the caller clears
 * *named after *module. Otherwise *named is zeroed and *module unchanged. Returns false if out of
 * memory, with *error filled in and both cleared.
 */
bool wi_go_names_complete(wi_module *module, wi_buffer *named, wi_error *error);

#endif /* WI_MODULE_GO_NAMES_H_ */
