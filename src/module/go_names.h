/* True names of functions in a program of Go, stripped or not, from the table that its runtime has. */
#ifndef WI_MODULE_GO_NAMES_H_
#define WI_MODULE_GO_NAMES_H_

#include "module/module.h"
#include "support/buffer.h"

/*
 * Where the module has that table, *named becomes the module with its names in the name section, such as
 * main.(*printer).print for what Go's linker calls main.__printer_.print there, and *module is read anew from it: it then
 * borrows from *named, which the caller clears after it. Else both stay as they are, *named being zeroed. False,
 * with *error filled in and both clear, when memory ran out.
 */
bool wi_go_names_complete(wi_module *module, wi_buffer *named, wi_error *error);

#endif /* WI_MODULE_GO_NAMES_H_ */
