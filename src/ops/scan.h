// Cumulative operations along an axis.
#pragma once

#include <cstdint>
#include <optional>

#include "core/op.h"
#include "expr/array.h"

namespace cuprum::ops {

struct ScanArgs {
  std::optional<std::int64_t> axis;  // unset: of the flattened array
  std::optional<dtype> type;
  const Array* out = nullptr;
};
Array cumsum(const Array& a, const ScanArgs& args = {});
Array cumprod(const Array& a, const ScanArgs& args = {});
Array nancumsum(const Array& a, const ScanArgs& args = {});
Array nancumprod(const Array& a, const ScanArgs& args = {});

/// np.cumulative_sum and np.cumulative_prod: with `include_initial` the result starts with the identity.
Array cumulative_sum(const Array& a, const ScanArgs& args, bool include_initial);
Array cumulative_prod(const Array& a, const ScanArgs& args, bool include_initial);

/// ufunc.accumulate of any operation with two inputs (axis required).
Array accumulate(Op op, const Array& a, const ScanArgs& args);

/// ufunc.reduceat: slices `a` at `indices` (int64, 1-d) along the axis and reduces each.
Array reduceat(Op op, const Array& a, const Array& indices, const ScanArgs& args);

}  // namespace cuprum::ops
