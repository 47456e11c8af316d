/* Reads a module. */
#ifndef WI_MODULE_READ_H_
#define WI_MODULE_READ_H_

#include "module/module.h"

/*
 * Reads the module of `size` bytes at `bytes`: with WABT if it can, else with our own reader. On
 * failure *error is filled in and *module is cleared.
 */
bool wi_module_read(wi_module *module, const uint8_t *bytes, size_t size, wi_error *error);

/*
 * Same, but also accepts a debug file without code (as emcc -gseparate-dwarf writes); bodies_count
 * is then 0, whatever the number of functions.
 */
bool wi_module_read_debug_file(wi_module *module, const uint8_t *bytes, size_t size,
                               wi_error *error);

#endif /* WI_MODULE_READ_H_ */
