#include "symbols/name_file.h"

#include "component/container.h"
#include "symbols/build.h"

typedef struct adding {
  wi_namings *namings;
  uint32_t count;
  wi_name_file_use *use; /* the best so far */
  wi_error *error;
  const wi_namings **culprit;
} adding;

static wi_name_file_use use_of(const wi_matches *matches) {
  if (matches->is_unrelated)
    return WI_NAME_FILE_UNRELATED;
  return matches->matched_count > 0 ? WI_NAME_FILE_USED : WI_NAME_FILE_DISTINCT;
}

/* Adds the build's names to one of the modules. */
static bool add_build(const adding *all, const wi_build *build, wi_namings *namings) {
  wi_matches matches = {0};
  wi_error in_error;
  wi_error_reset(&in_error);
  bool done =
      wi_namings_add(namings, &build->module, build->names, &matches, &in_error, all->error);
  if (done && use_of(&matches) > *all->use)
    *all->use = use_of(&matches);
  if (!done && all->error->code == WI_ERROR_NONE) {
    *all->error = in_error;
    *all->culprit = namings;
  }
  wi_matches_clear(&matches);
  return done;
}

static bool add_module(const adding *all, const uint8_t *bytes, size_t size) {
  wi_build build;
  bool done = true;
  if (!wi_build_open(&build, bytes, size, all->error))
    return false;
  for (uint32_t i = 0; done && i < all->count; i++)
    done = add_build(all, &build, &all->namings[i]);
  wi_build_close(&build);
  return done;
}

static bool add_component(const adding *all, const uint8_t *bytes, size_t size) {
  wi_component component;
  bool done = wi_component_read(&component, bytes, size, all->error);
  for (uint32_t i = 0; done && i < component.parts_count; i++) {
    const wi_component_part *part = &component.parts[i];
    done = !part->is_module || add_module(all, bytes + part->bytes.offset, part->bytes.size);
  }
  wi_component_clear(&component);
  return done;
}

bool wi_name_file_add(wi_namings *namings, uint32_t count, wi_signatures *signatures,
                      const uint8_t *bytes, size_t size, wi_name_file_use *use, wi_error *error,
                      const wi_namings **culprit) {
  const adding all = {namings, count, use, error, culprit};
  bool are_signatures = wi_signatures_are(bytes, size);
  wi_error_reset(error);
  *culprit = NULL;
  *use = are_signatures ? WI_NAME_FILE_USED : WI_NAME_FILE_UNRELATED;
  if (are_signatures)
    return wi_signatures_read(signatures, bytes, size, error);
  return wi_component_is(bytes, size) ? add_component(&all, bytes, size)
                                      : add_module(&all, bytes, size);
}

const char *wi_name_file_problem(wi_name_file_use use) {
  switch (use) {
  case WI_NAME_FILE_UNRELATED: return "not a build of the module, so it names no function";
  case WI_NAME_FILE_DISTINCT: return "has no function in common with the module";
  default: return NULL;
  }
}
