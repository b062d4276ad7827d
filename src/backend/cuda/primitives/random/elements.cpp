#include "backend/cuda/primitives/random/elements.h"

#include <algorithm>
#include <optional>

#include "backend/cuda/primitives/common/views.h"

namespace cuprum::cuda::primitives {

namespace {

/// Arrays as kernels read them: one number for all stays one number.
class ReadyParameters {
 public:
  ReadyParameters(Context& context, Operands arrays) {
    for (std::size_t k = 0; k < arrays.size(); ++k) {
      View view = arrays[k];
      const bool one =
          std::all_of(view.strides.begin(), view.strides.end(), [](std::int64_t s) { return s == 0; });
      if (!one) view = dense_[k].emplace(context, view).view();
      parameters.data[k] = reinterpret_cast<const std::uint64_t*>(view.data.address());
      parameters.step[k] = one ? 0 : 1;
    }
  }

  ElementParameters parameters;

 private:
  std::optional<Dense> dense_[3];
};

}  // namespace

bool draw_elements(Context& context, const DrawJob& job, Operands arrays) {
  if (arrays.empty() && draw_easy_elements(context, job)) return true;
  const ReadyParameters ready(context, arrays);
  const ElementParameters& p = ready.parameters;
  return draw_integer_elements(context, job, p) || draw_continuous_elements(context, job, p) ||
         draw_discrete_elements(context, job, p);
}

}  // namespace cuprum::cuda::primitives
