/* Calls the functions of all followers, for the embedded form. */
#ifndef WI_HOOKS_FOLLOW_FOLLOWERS_H_
#define WI_HOOKS_FOLLOW_FOLLOWERS_H_

#include "hooks/embedded/merge.h"
#include "hooks/follow/follower.h"

/* The followers of a module, in the order of followers.def. Zero before use, clear after it. */
typedef struct wi_followings {
  wi_following items[WI_FOLLOWER_COUNT];
} wi_followings;

/* As the functions of wi_follower, for all active followers. */
bool wi_followings_find(wi_followings *all, const wi_plan *plan, const wi_options *options,
                        wi_scan *scan, wi_error *error);
void wi_followings_clear(wi_followings *all);
void wi_followings_want(const wi_followings *all, const wi_module *module, wi_scan_wants *wants);
/* The union of their requirements of the function, and the number of accounts in its node. */
unsigned wi_followings_traits(const wi_followings *all, const wi_module *module,
                              const wi_scan *scan, uint32_t function, uint32_t *account_count);
bool wi_followings_need_slot(const wi_followings *all, const wi_site *site);
bool wi_followings_note(wi_followings *all, wi_plan *plan, uint32_t function, const wi_site *site,
                        wi_error *error);
bool wi_followings_keep_leaves(const wi_followings *all);
void wi_followings_put_section(const wi_followings *all, const wi_plan *plan, wi_section_id id,
                               wi_buffer *out);
void wi_followings_put_names(const wi_followings *all, const wi_module *module, wi_name_put *put,
                             wi_buffer *out);
void wi_followings_put_facts(const wi_followings *all, const wi_plan *plan, const wi_fact_put *put,
                             wi_buffer *out);

wi_stand_ins wi_following_stand_ins(const wi_following *following); /* zero if not active */

/* The number of functions that they add to the output. */
uint32_t wi_followings_function_count(const wi_followings *all);

/* Whether a guest was found. */
bool wi_followings_have_guest(const wi_followings *all);

/* As wi_follower.keeps_state. */
bool wi_followings_keep_state(const wi_followings *all);

/* As wi_follower.needs_shadows. */
bool wi_followings_need_shadows(const wi_followings *all);

/* Whether only functions that some follower follows have nodes. */
bool wi_followings_exclude_others(const wi_followings *all);

/* Keeps their exports and parts of the image. Returns false if memory ran out. */
bool wi_followings_keep(const wi_followings *all, const wi_plan *plan, wi_image *image);

/* Call when all parts are placed; `function` is the index of the first stand-in. */
void wi_followings_place(wi_followings *all, const wi_merge *runtime, uint32_t function);

/* The followers that do something in one body. */
typedef struct wi_follow_bodies {
  wi_follow_body items[WI_FOLLOWER_COUNT];
  uint32_t count;
  uint32_t i32_count, i64_count; /* locals of all */
  bool acts_at_exit;
} wi_follow_bodies;

/* Lets each follower decide what it does in the body that `body` describes. */
void wi_follow_bodies_begin(wi_follow_bodies *bodies, const wi_followings *all,
                            const wi_follow_body *body);

/* Assigns their locals, from these indices on. */
void wi_follow_bodies_place(wi_follow_bodies *bodies, uint32_t node_local, uint32_t i32_local,
                            uint32_t i64_local);

/* Emit the code of all. */
uint32_t wi_follow_bodies_put_entry(const wi_follow_bodies *bodies, wi_buffer *out);
uint32_t wi_follow_bodies_put_start(const wi_follow_bodies *bodies, wi_buffer *out);
void wi_follow_bodies_put_before(const wi_follow_bodies *bodies, const wi_site *site,
                                 wi_buffer *out);
void wi_follow_bodies_put_after(const wi_follow_bodies *bodies, const wi_site *site, uint32_t slot,
                                wi_buffer *out);
void wi_follow_bodies_put_exit(const wi_follow_bodies *bodies, bool is_tail_call, wi_buffer *out);

#endif /* WI_HOOKS_FOLLOW_FOLLOWERS_H_ */
