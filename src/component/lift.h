/*
 * Exports of a component by which its host reads profiles: of modules that leave none by
 * themselves. They are sections at its end, so that nothing that is there moves.
 */
#ifndef WI_COMPONENT_LIFT_H_
#define WI_COMPONENT_LIFT_H_

#include "component/container.h"
#include "support/buffer.h"

/* What the exports' names begin with; each number but the first is their end. */
#define WI_LIFT_PREFIX "wasm-perf-"

/*
 * Appends to `out`, which holds the component with its modules instrumented, the sections that
 * export the profile of each instance of a module of the component itself that `is_silent` marks,
 * by part. numbers[part] becomes the number of its first instance's exports, from 1; it stays 0
 * where there are none: the module stands in a nested component, is not instantiated, or the
 * component has items of proposals that are not known here.
 *
 *     wasm-perf-profile: func() -> u32
 *     wasm-perf-read: func(offset: u32) -> u64
 *     wasm-perf-reset: func()
 */
void wi_component_lift(const wi_component *component, const bool *is_silent, uint32_t *numbers,
                       wi_buffer *out);

#endif /* WI_COMPONENT_LIFT_H_ */
