/* What is known about a module from outside of it, in addition to the caller's options. */
#ifndef WI_HOOKS_SURROUNDINGS_H_
#define WI_HOOKS_SURROUNDINGS_H_

#include "module/module.h"

struct wi_guest; /* hooks/follow/python.h */

struct wi_surroundings {
  wi_span old_hooks; /* function indices of hooks from an earlier instrumentation */
  const struct wi_guest
      *guest_elsewhere; /* what another module of the component shows about a guest whose
                           interpreter may be in this one; NULL: nothing */
  bool is_part; /* of a component, whose host keeps no views of its memory and does not grow it */
};

#endif /* WI_HOOKS_SURROUNDINGS_H_ */
