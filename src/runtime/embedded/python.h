/*
 * Guests: programs whose functions are interpreted, as Python's are. An interpreter keeps frames of
 * its own, in the program's memory; each has a node below that of the interpreter's function, as if
 * the interpreter had been compiled once for each function that it runs. In modules without guests,
 * nothing is there.
 *
 * The interpreter's function calls guest_switch after each store of which frame is the current one,
 * where no other store can follow unseen, and goes on with the node that this returns: what it
 * calls from then on stands below.
 *
 * Where only the guest's functions are to be seen, the module's own have no nodes: callee_slot is
 * always the only slot of the node of the guest's function that runs, which says whose it is, and
 * what others count they count in that node.
 */
#ifndef WI_RUNTIME_EMBEDDED_PYTHON_H_
#define WI_RUNTIME_EMBEDDED_PYTHON_H_

#include <stdint.h>

#ifdef EMBED_FOLLOWS_GUEST

/* Names and places of the guest's functions, as in the file. */
void embed_guest_put_names(void);
void embed_guest_put_places(void);
uint32_t embed_guest_names_size(void);
uint32_t embed_guest_places_size(void);

#else

static inline void embed_guest_put_names(void) {}
static inline void embed_guest_put_places(void) {}
static inline uint32_t embed_guest_names_size(void) {
  return 0;
}
static inline uint32_t embed_guest_places_size(void) {
  return 0;
}

#endif

#endif /* WI_RUNTIME_EMBEDDED_PYTHON_H_ */
