// Reductions: NumPy's names, dtypes and empty cases. They are recorded with their operand as a fused prologue;
// a result without dimensions is a value (see Array::is_value).
#pragma once

#include <cstdint>
#include <optional>

#include "core/op.h"
#include "expr/array.h"
#include "ops/value.h"

namespace cuprum::ops {

struct ReduceArgs {
  std::optional<Dims> axes;   // unset: all
  std::optional<dtype> type;  // the dtype to accumulate in
  const Array* out = nullptr;
  bool keepdims = false;
  std::optional<Value> initial;  // converted to the dtype of the result
  bool identity = true;  // false: without `initial`, start from the first element (initial=None, reduceat)
  const Array* where = nullptr;  // bool, broadcasts to the operand
};

Array sum(const Array& a, const ReduceArgs& args = {});
Array prod(const Array& a, const ReduceArgs& args = {});
Array min(const Array& a, const ReduceArgs& args = {});
Array max(const Array& a, const ReduceArgs& args = {});
Array any(const Array& a, const ReduceArgs& args = {});
Array all(const Array& a, const ReduceArgs& args = {});
Array mean(const Array& a, const ReduceArgs& args = {});
/// `mean`: what deviations are taken from, where it is given; it broadcasts with `a`.
Array var(const Array& a, const ReduceArgs& args = {}, double ddof = 0, const Value* mean = nullptr);
Array std(const Array& a, const ReduceArgs& args = {}, double ddof = 0, const Value* mean = nullptr);
Array ptp(const Array& a, const ReduceArgs& args = {});
Array count_nonzero(const Array& a, const ReduceArgs& args = {});

Array nansum(const Array& a, const ReduceArgs& args = {});
Array nanprod(const Array& a, const ReduceArgs& args = {});
Array nanmin(const Array& a, const ReduceArgs& args = {});
Array nanmax(const Array& a, const ReduceArgs& args = {});
Array nanmean(const Array& a, const ReduceArgs& args = {});
Array nanvar(const Array& a, const ReduceArgs& args = {}, double ddof = 0, const Value* mean = nullptr);
Array nanstd(const Array& a, const ReduceArgs& args = {}, double ddof = 0, const Value* mean = nullptr);

/// int64 position of the first extreme element, along one axis or of the flattened array.
struct ArgArgs {
  std::optional<std::int64_t> axis;
  const Array* out = nullptr;
  bool keepdims = false;
};
Array argmin(const Array& a, const ArgArgs& args = {});
Array argmax(const Array& a, const ArgArgs& args = {});
/// Throw ValueError for a slice of NaN alone (which evaluates).
Array nanargmin(const Array& a, const ArgArgs& args = {});
Array nanargmax(const Array& a, const ArgArgs& args = {});

/// Sum along a diagonal.
Array trace(const Array& a, std::int64_t offset = 0, std::int64_t axis1 = 0, std::int64_t axis2 = 1,
            std::optional<dtype> type = std::nullopt, const Array* out = nullptr);

/// ufunc.reduce of any operation with two inputs. `function` names the caller in errors.
Array reduce(Op op, const Array& a, const ReduceArgs& args = {}, const char* function = nullptr);

/// The axes as a bit mask; a 0-d array accepts axis 0 and -1 too, as NumPy's reductions do.
std::uint64_t axis_mask(const char* function, const std::optional<Dims>& axes, int ndim);

}  // namespace cuprum::ops
