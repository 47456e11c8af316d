/* Iterates over all followers. */
#include "hooks/follow/followers.h"

#define WI_FOLLOWER(name) extern const wi_follower wi_follow_##name;
#include "runtime/embedded/followers.def"
#undef WI_FOLLOWER

static const wi_follower *const followers[WI_FOLLOWER_COUNT] = {
#define WI_FOLLOWER(name) &wi_follow_##name,
#include "runtime/embedded/followers.def"
#undef WI_FOLLOWER
};

/* The first active follower from `at` on, or NULL. */
static const wi_following *active(const wi_followings *all, uint32_t at) {
  const wi_following *end = all->items + WI_FOLLOWER_COUNT;
  for (const wi_following *f = all->items + at; f < end; f++)
    if (f->is_active)
      return f;
  return NULL;
}

#define FOR_ACTIVE(f, all)                                                                         \
  for (const wi_following *f = active(all, 0); f; f = active(all, (uint32_t)(f - (all)->items) + 1))

bool wi_followings_find(wi_followings *all, const wi_plan *plan, const wi_options *options,
                        wi_scan *scan, wi_error *error) {
  for (uint32_t i = 0; i < WI_FOLLOWER_COUNT; i++) {
    all->items[i].follower = followers[i];
    if (!followers[i]->find(&all->items[i], plan, options, scan, error))
      return false;
  }
  return true;
}

void wi_followings_clear(wi_followings *all) {
  for (uint32_t i = 0; i < WI_FOLLOWER_COUNT; i++)
    if (all->items[i].state)
      all->items[i].follower->clear(all->items[i].state);
  *all = (wi_followings){0};
}

void wi_followings_want(const wi_followings *all, const wi_module *module, wi_scan_wants *wants) {
  FOR_ACTIVE(f, all)
  if (f->follower->want)
    f->follower->want(f, module, wants);
}

unsigned wi_followings_traits(const wi_followings *all, const wi_module *module,
                              const wi_scan *scan, uint32_t function, uint32_t *account_count) {
  unsigned traits = 0;
  *account_count = 0;
  FOR_ACTIVE(f, all) {
    unsigned own = f->follower->traits ? f->follower->traits(f, module, scan, function) : 0;
    *account_count += (own & WI_FOLLOW_ACCOUNT) != 0;
    traits |= own;
  }
  return traits;
}

bool wi_followings_need_slot(const wi_followings *all, const wi_site *site) {
  FOR_ACTIVE(f, all)
  if (f->follower->needs_slot && f->follower->needs_slot(site))
    return true;
  return false;
}

bool wi_followings_note(wi_followings *all, wi_plan *plan, uint32_t function, const wi_site *site,
                        wi_error *error) {
  for (uint32_t i = 0; i < WI_FOLLOWER_COUNT; i++) {
    wi_following *f = &all->items[i];
    if (f->is_active && f->follower->note && !f->follower->note(f, plan, function, site, error))
      return false;
  }
  return true;
}

bool wi_followings_keep_leaves(const wi_followings *all) {
  FOR_ACTIVE(f, all)
  if (!f->follower->keeps_leaves)
    return false;
  return true;
}

void wi_followings_put_section(const wi_followings *all, const wi_plan *plan, wi_section_id id,
                               wi_buffer *out) {
  FOR_ACTIVE(f, all)
  if (f->follower->put_section)
    f->follower->put_section(f, plan, id, out);
}

void wi_followings_put_names(const wi_followings *all, const wi_module *module, wi_name_put *put,
                             wi_buffer *out) {
  FOR_ACTIVE(f, all)
  if (f->follower->put_names)
    f->follower->put_names(f, module, put, out);
}

void wi_followings_put_facts(const wi_followings *all, const wi_plan *plan, const wi_fact_put *put,
                             wi_buffer *out) {
  FOR_ACTIVE(f, all)
  if (f->follower->put_facts)
    f->follower->put_facts(f, plan, put, out);
}

wi_stand_ins wi_following_stand_ins(const wi_following *f) {
  return f->is_active && f->follower->stand_ins ? f->follower->stand_ins(f) : (wi_stand_ins){0};
}

uint32_t wi_followings_function_count(const wi_followings *all) {
  uint32_t count = 0;
  FOR_ACTIVE(f, all) {
    wi_stand_ins own = wi_following_stand_ins(f);
    count += own.are_functions ? own.count : 0;
  }
  return count;
}

bool wi_followings_exclude_others(const wi_followings *all) {
  for (uint32_t i = 0; i < WI_FOLLOWER_COUNT; i++)
    if (all->items[i].excludes_others)
      return true;
  return false;
}

bool wi_followings_have_guest(const wi_followings *all) {
  for (uint32_t i = 0; i < WI_FOLLOWER_COUNT; i++)
    if (all->items[i].has_guest)
      return true;
  return false;
}

bool wi_followings_keep_state(const wi_followings *all) {
  FOR_ACTIVE(f, all)
  if (f->follower->keeps_state)
    return true;
  return false;
}

bool wi_followings_need_shadows(const wi_followings *all) {
  FOR_ACTIVE(f, all)
  if (f->follower->needs_shadows)
    return true;
  return false;
}

bool wi_followings_keep(const wi_followings *all, const wi_plan *plan, wi_image *image) {
  bool done = true;
  FOR_ACTIVE(f, all) {
    for (const char *const *name = f->follower->exports; *name; name++)
      wi_image_keep(image, *name);
    done = done && wi_image_link_parts(image, f->follower->name);
    done = done && (!f->follower->link || f->follower->link(f, plan, image));
  }
  return done;
}

void wi_followings_place(wi_followings *all, const wi_merge *runtime, uint32_t function) {
  for (uint32_t i = 0; i < WI_FOLLOWER_COUNT; i++) {
    wi_following *f = &all->items[i];
    f->first_stand_in = function;
    function += wi_following_stand_ins(f).count;
    for (uint32_t k = 0; f->is_active && f->follower->exports[k]; k++)
      f->functions[k] = wi_merge_function(runtime, f->follower->exports[k]);
  }
}

/* ---- Bodies ------------------------------------------------------------------- */

void wi_follow_bodies_begin(wi_follow_bodies *bodies, const wi_followings *all,
                            const wi_follow_body *body) {
  *bodies = (wi_follow_bodies){0};
  FOR_ACTIVE(f, all) {
    wi_follow_body *added = &bodies->items[bodies->count];
    *added = *body;
    added->following = f;
    if (!f->follower->begin || !f->follower->begin(added))
      continue;
    bodies->count++;
    bodies->i32_count += added->i32_count;
    bodies->i64_count += added->i64_count;
    bodies->acts_at_exit |= added->acts_at_exit;
  }
}

void wi_follow_bodies_place(wi_follow_bodies *bodies, uint32_t node_local, uint32_t i32_local,
                            uint32_t i64_local) {
  for (uint32_t i = 0; i < bodies->count; i++) {
    wi_follow_body *body = &bodies->items[i];
    body->node_local = node_local;
    body->i32_locals = i32_local;
    body->i64_locals = i64_local;
    i32_local += body->i32_count;
    i64_local += body->i64_count;
  }
}

uint32_t wi_follow_bodies_put_entry(const wi_follow_bodies *bodies, wi_buffer *out) {
  uint32_t labels = 0;
  for (const wi_follow_body *b = bodies->items; b < bodies->items + bodies->count; b++)
    if (b->following->follower->put_entry)
      labels += b->following->follower->put_entry(b, out);
  return labels;
}

uint32_t wi_follow_bodies_put_start(const wi_follow_bodies *bodies, wi_buffer *out) {
  uint32_t labels = 0;
  for (const wi_follow_body *b = bodies->items; b < bodies->items + bodies->count; b++)
    if (b->following->follower->put_start)
      labels += b->following->follower->put_start(b, out);
  return labels;
}

void wi_follow_bodies_put_before(const wi_follow_bodies *bodies, const wi_site *site,
                                 wi_buffer *out) {
  for (const wi_follow_body *b = bodies->items; b < bodies->items + bodies->count; b++)
    if (b->following->follower->put_before)
      b->following->follower->put_before(b, site, out);
}

void wi_follow_bodies_put_after(const wi_follow_bodies *bodies, const wi_site *site, uint32_t slot,
                                wi_buffer *out) {
  for (const wi_follow_body *b = bodies->items; b < bodies->items + bodies->count; b++)
    if (b->following->follower->put_after)
      b->following->follower->put_after(b, site, slot, out);
}

void wi_follow_bodies_put_exit(const wi_follow_bodies *bodies, bool is_tail_call, wi_buffer *out) {
  for (const wi_follow_body *b = bodies->items; b < bodies->items + bodies->count; b++)
    if (b->following->follower->put_exit)
      b->following->follower->put_exit(b, is_tail_call, out);
}
