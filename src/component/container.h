/*
 * Finds the core modules of a component (component model, design/mvp/Binary.md).
 *
 * Reads only the sections that contain modules and nested components, and the names of core
 * modules.
 */
#ifndef WI_COMPONENT_CONTAINER_H_
#define WI_COMPONENT_CONTAINER_H_

#include "module/module.h"

#define WI_COMPONENT_HEADER_SIZE 8    /* magic, version and layer */
#define WI_COMPONENT_MAX_DEPTH   100  /* of nested components: the engines' limit */
#define WI_COMPONENT_MAX_MODULES 1000 /* in total, as each may get a runtime: likewise */
#define WI_NO_PART               UINT32_MAX

/* A section that contains a core module or a nested component. */
typedef struct wi_component_part {
  uint32_t section_offset; /* of the section's id byte */
  wi_span bytes;           /* the module or component, including its header */
  uint32_t parent;         /* the enclosing part; WI_NO_PART: the component itself */
  bool is_module;
  uint32_t index; /* of a module: its index among the core modules of its component */
  wi_span name;   /* of a module; size 0: no name */
} wi_component_part;

typedef struct wi_component {
  const uint8_t *bytes; /* borrowed */
  uint32_t size;
  WI_ARRAY(wi_component_part, parts); /* in byte order, a component before its parts */
  uint32_t module_count;
} wi_component;

/* Whether the bytes start like a component. */
bool wi_component_is(const uint8_t *bytes, size_t size);

/*
 * Finds the parts of the component of `size` bytes at `bytes`, without reading the modules. On
 * failure *error is filled in and *component is cleared.
 */
bool wi_component_read(wi_component *component, const uint8_t *bytes, size_t size, wi_error *error);
void wi_component_clear(wi_component *component);

#define WI_COMPONENT_NAME_SIZE 96

/*
 * Writes the module's name to `text`, truncated to fit, or "module3" if it has none. The name's
 * bytes are not checked.
 */
void wi_component_module_name(const wi_component *component, const wi_component_part *module,
                              char text[WI_COMPONENT_NAME_SIZE]);

#endif /* WI_COMPONENT_CONTAINER_H_ */
