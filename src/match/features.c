#include "match/features.h"

#include <stdlib.h>

void wi_features_clear(wi_features *features) {
  wi_data_image_clear(&features->data);
  free(features->functions);
  free(features->links);
  free(features->tokens);
  free(features->table);
  *features = (wi_features){0};
}
