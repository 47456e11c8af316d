/* Reading a module. */
#ifndef WI_MODULE_READ_H_
#define WI_MODULE_READ_H_

#include "module/module.h"

/*
 * Reads the module of `size` bytes at `bytes`: by WABT where it can, else by our own reader.
 * On failure *error is filled in and *module is clear.
 */
bool wi_module_read(wi_module *module, const uint8_t *bytes, size_t size, wi_error *error);

/*
 * The same, also of a debug file from which the code was taken (emcc -gseparate-dwarf leaves such
 * files): bodies_count is 0 then, however many functions there are.
 */
bool wi_module_read_debug_file(wi_module *module, const uint8_t *bytes, size_t size,
                               wi_error *error);

#endif /* WI_MODULE_READ_H_ */
