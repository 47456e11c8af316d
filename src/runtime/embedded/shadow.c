#include "runtime/embedded/shadow.h"

bool embed_has_shadow(uint32_t node) {
  return embed_configuration()->shadow_size != 0 && node >= embed_configuration()->arena;
}

/* Ends the gap that holds both where the node begins, which joins its parent's children. */
void embed_publish_shadow(uint32_t node, uint32_t parent) {
  embed_shadow *of = embed_shadow_of(node);
  bool is_child = embed_has_shadow(parent);
  of->next_sibling = is_child ? embed_shadow_of(parent)->first_child : 0;
  of->size = EMBED_SHADOW_SIZE;
  if (is_child)
    embed_shadow_of(parent)->first_child = node;
}

void embed_init_shadow(uint32_t node) {
  embed_shadow *of = embed_shadow_of(node);
  of->first_child = 0;
  of->calls = of->self = 0;
  embed_node_at(node)->calls = 0;
}
