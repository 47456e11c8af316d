/*
 * The canonical built-ins of the Component Model (its Binary.md, "Canonical Definitions"): the
 * operands of each one, so that a reader can skip it.
 */
#ifndef WI_COMPONENT_CANON_H_
#define WI_COMPONENT_CANON_H_

#include "support/cursor.h"

/*
 * Moves the cursor past one canonical definition. Returns true if it defines a component function
 * (`canon lift`), false for a core function. Fails the cursor with WI_ERROR_UNSUPPORTED if the
 * built-in is unknown.
 */
bool wi_canon_skip(wi_cursor *cursor);

#endif /* WI_COMPONENT_CANON_H_ */
