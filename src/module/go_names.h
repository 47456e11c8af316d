/*
 * Names of functions in a stripped program of Go (GOARCH=wasm, Go 1.20 and later).
 *
 * Whatever its linker is told, it leaves the table of functions in a program's data that its
 * runtime prints stacks by (Go's sources: internal/abi/symtab.go, runtime/symtab.go,
 * cmd/link/internal/ld/ pcln.go). With its names the linker would have written the name section.
 */
#ifndef WI_MODULE_GO_NAMES_H_
#define WI_MODULE_GO_NAMES_H_

#include "module/module.h"
#include "support/buffer.h"

#define WI_GO_TABLE_OFFSET 0x1000u /* index in the table of the first function with a body */

/*
 * Where the module has no name section but that table, *named becomes the module with the section
 * that Go's linker would have appended, and *module is read anew from there: it then borrows from
 * *named, which the caller clears after it. Else both stay as they are, *named being zeroed. False,
 * with *error filled in and both clear, when memory ran out.
 */
bool wi_go_names_complete(wi_module *module, wi_buffer *named, wi_error *error);

#endif /* WI_MODULE_GO_NAMES_H_ */
