// Kernels over random leaves, for what runs kernels without the engine.
#pragma once

#include "backend/cuda/bytecode/encode.h"
#include "random_views.h"
#include "runtime/backend.h"

namespace cuprum::testing {

/// A kernel whose memory it owns.
struct Made {
  Kernel kernel;
  std::vector<Owned> inputs, outputs;
};

/// Some leaves are broadcast, some everywhere.
inline void add_leaf(Rng& rng, Made& made, dtype type) {
  Dims shape = made.kernel.shape;
  const std::int64_t kind = pick(rng, 0, 5);
  for (std::int64_t& extent : shape) {
    if (kind == 0 || (kind == 1 && pick(rng, 0, 1))) extent = 1;
  }
  made.inputs.push_back(kind >= 4 ? random_layout(rng, type, shape, true) : random_layout(rng, type, shape));
  Owned& view = made.inputs.back();
  fill(view, [&] { return random_value(rng, type); });
  Leaf leaf{view.data, type, view.strides};
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] != made.kernel.shape[d]) leaf.strides[d] = 0;
  }
  made.kernel.leaves.push_back(leaf);
}

}  // namespace cuprum::testing
