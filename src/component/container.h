/*
 * Where the core modules of a component stand (component model, design/mvp/Binary.md).
 *
 * Nothing of the component is looked into but the sections that hold modules and nested components,
 * and the names of core modules.
 */
#ifndef WI_COMPONENT_CONTAINER_H_
#define WI_COMPONENT_CONTAINER_H_

#include "module/module.h"

#define WI_COMPONENT_HEADER_SIZE 8    /* magic, version and layer */
#define WI_COMPONENT_MAX_DEPTH   100  /* of nested components: engines accept no more */
#define WI_COMPONENT_MAX_MODULES 1000 /* in all, each of which may get a runtime: the same */
#define WI_NO_PART               UINT32_MAX

/* A section that holds a core module or a nested component. */
typedef struct wi_component_part {
  uint32_t section_offset; /* of the section's id */
  wi_span bytes;           /* of the module or component, its header included */
  uint32_t parent;         /* the part that it is in; WI_NO_PART: the component itself */
  bool is_module;
  uint32_t index; /* of a module: in the core modules of the component that it is in */
  wi_span name;   /* of a module; size 0: it has none */
} wi_component_part;

typedef struct wi_component {
  const uint8_t *bytes; /* borrowed */
  uint32_t size;
  WI_ARRAY(wi_component_part, parts); /* in the order of the bytes, a component before its parts */
  uint32_t module_count;
} wi_component;

/* Whether the bytes begin as a component does. */
bool wi_component_is(const uint8_t *bytes, size_t size);

/*
 * Finds the parts of the component of `size` bytes at `bytes`. On failure *error is filled in and
 * *component is clear. The modules are not read.
 */
bool wi_component_read(wi_component *component, const uint8_t *bytes, size_t size, wi_error *error);
void wi_component_clear(wi_component *component);

#define WI_COMPONENT_NAME_SIZE 96

/*
 * Writes the module's name, cut to fit, or "module3" where it has none, to `text`. Bytes are as
 * they stand in the component.
 */
void wi_component_module_name(const wi_component *component, const wi_component_part *module,
                              char text[WI_COMPONENT_NAME_SIZE]);

#endif /* WI_COMPONENT_CONTAINER_H_ */
