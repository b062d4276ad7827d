#include "core/common_shape.h"

#include <algorithm>
#include <string>

#include "cuprum/error.h"

namespace cuprum {

Dims common_shape(const char* function, std::span<const Dims> shapes) {
  const std::string prefix = std::string("cuprum.") + function + ": ";
  std::size_t ndim = 0;
  for (const Dims& shape : shapes) {
    ndim = std::max(ndim, shape.size());
    if (std::any_of(shape.begin(), shape.end(), [](std::int64_t n) { return n < 0; }))
      throw ValueError(prefix + "negative dimensions are not allowed, given " + to_string(shape));
  }
  Dims result(ndim, 1);
  for (std::size_t d = 0; d < ndim; ++d) {
    std::size_t decided_by = 0;
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      const std::size_t lead = ndim - shapes[k].size();
      const std::int64_t n = d < lead ? 1 : shapes[k][d - lead];
      if (n == 1 || n == result[d]) continue;
      if (result[d] != 1) {
        throw ValueError(
            prefix +
            "shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between "
            "arg " +
            std::to_string(decided_by) + " with shape " + to_string(shapes[decided_by]) + " and arg " +
            std::to_string(k) + " with shape " + to_string(shapes[k]) + ".");
      }
      result[d] = n;
      decided_by = k;
    }
  }
  return result;
}

}  // namespace cuprum
