/*
 * The canonical built-ins of the Component Model (its Binary.md, "Canonical Definitions"): what
 * each has behind its code, so that a reader gets past it.
 */
#ifndef WI_COMPONENT_CANON_H_
#define WI_COMPONENT_CANON_H_

#include "support/cursor.h"

/*
 * Moves the cursor past one canonical definition. Returns whether it makes a function of the
 * component (`canon lift`) instead of a core function. One that is not known fails the cursor with
 * WI_ERROR_UNSUPPORTED.
 */
bool wi_canon_skip(wi_cursor *cursor);

#endif /* WI_COMPONENT_CANON_H_ */
