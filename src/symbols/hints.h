/*
 * Hints about functions without a name, from their code: strings, imports, exports that call them.
 */
#ifndef WI_SYMBOLS_HINTS_H_
#define WI_SYMBOLS_HINTS_H_

#include "symbols/namings.h"

/*
 * Adds a hint to each function that has no name of any kind:
 *
 *     "sqlite_master"     it refers to that string, like at most two other functions
 *     calls fd_write      it calls that import, like few other functions
 *     called by resize    it is called once, by the export of that name, which calls nothing else
 *
 * Functions with an unreadable body get no hint. Returns false if out of memory.
 */
bool wi_hints_add(wi_namings *namings, wi_names *own);

#endif /* WI_SYMBOLS_HINTS_H_ */
