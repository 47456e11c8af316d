/* Writes a component with other core modules in place of its own. */
#ifndef WI_COMPONENT_SPLICE_H_
#define WI_COMPONENT_SPLICE_H_

#include "component/container.h"
#include "support/buffer.h"

/* A core module, borrowed. Without bytes the component's own module stays. */
typedef struct wi_splice {
  const uint8_t *bytes;
  size_t size;
} wi_splice;

/*
 * Appends the component to `out`, with `modules[i]` in place of parts[i]. All other bytes stay the
 * same, except the sizes of enclosing sections. Sets out->failed if memory ran out.
 */
void wi_component_splice(const wi_component *component, const wi_splice *modules, wi_buffer *out);

#endif /* WI_COMPONENT_SPLICE_H_ */
