// Reorders, simplifies and encodes a grid of triangles.
#include <cmath>
#include <cstdio>
#include <vector>

#include "meshoptimizer.h"

int main() {
  const unsigned n = 24;
  std::vector<float> vertices;
  std::vector<unsigned> indices;
  for (unsigned y = 0; y <= n; ++y)
    for (unsigned x = 0; x <= n; ++x)
      vertices.insert(vertices.end(), {float(x), float(y), std::sin(float(x * y))});
  for (unsigned y = 0; y < n; ++y)
    for (unsigned x = 0; x < n; ++x) {
      unsigned a = y * (n + 1) + x, b = a + n + 1;
      indices.insert(indices.end(), {a, a + 1, b, b, a + 1, b + 1});
    }
  size_t count = indices.size(), vertex_count = vertices.size() / 3;
  meshopt_optimizeVertexCache(indices.data(), indices.data(), count, vertex_count);
  meshopt_optimizeOverdraw(indices.data(), indices.data(), count, vertices.data(), vertex_count, 12,
                           1.05f);
  meshopt_optimizeVertexFetch(vertices.data(), indices.data(), count, vertices.data(), vertex_count,
                              12);
  std::vector<unsigned> simple(count), strip(meshopt_stripifyBound(count));
  size_t left = meshopt_simplify(simple.data(), indices.data(), count, vertices.data(),
                                 vertex_count, 12, count / 3, 0.1f, 0, nullptr);
  size_t strip_size = meshopt_stripify(strip.data(), indices.data(), count, vertex_count, ~0u);
  std::vector<unsigned char> packed(meshopt_encodeIndexBufferBound(count, vertex_count));
  packed.resize(meshopt_encodeIndexBuffer(packed.data(), packed.size(), indices.data(), count));
  std::vector<unsigned> back(count);
  int failed = meshopt_decodeIndexBuffer(back.data(), count, 4, packed.data(), packed.size());
  std::printf("%zu %zu %zu %d\n", left, strip_size, packed.size(), failed);
}
