/* What the code of a function without a name says of it: strings, imports, the export it serves. */
#ifndef WI_SYMBOLS_HINTS_H_
#define WI_SYMBOLS_HINTS_H_

#include "symbols/namings.h"

/*
 * Adds a hint for each function that has no name of its own and none so far, if there is one:
 *
 *     "sqlite_master"     it refers to that string, and at most two other functions do
 *     calls fd_write      it calls that import, as few others do
 *     called by resize    it is called once, by the export of that name, which calls nothing else
 *
 * A body that cannot be read has no hint. False when memory ran out.
 */
bool wi_hints_add(wi_namings *namings, wi_names *own);

#endif /* WI_SYMBOLS_HINTS_H_ */
