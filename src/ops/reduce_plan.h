// What all reductions share: which axes go, what the result's shape is, and how a result reaches its caller.
#pragma once

#include <cstdint>

#include "expr/array.h"
#include "expr/engine.h"
#include "ops/reduce.h"

namespace cuprum::ops {

struct ReducePlan {
  std::uint64_t axes = 0;
  std::int64_t count = 1;  // elements that become one
  Dims kept;               // the shape without the reduced axes
  Dims full;               // the shape with them, of size 1

  ReducePlan(const char* function, const Array& a, const std::optional<Dims>& axes);

  bool empty() const;  // is the result empty?
};

/// The reduction recorded, with shape plan.kept. `spec.type` is what the operand is cast to. An empty one gives `identity`
/// everywhere.
Array reduce_planned(const ReducePlan& plan, const ReduceSpec& spec, const Array& a, const Scalar& identity);

/// The result as the caller asked for it: with the reduced axes, in `out`, or as a value. `ufunc` is the name in the
/// text of casting errors.
Array finish_reduction(const char* function, const char* ufunc, const ReducePlan& plan, Array result,
                       const ReduceArgs& args);

/// `where` must broadcast to the shape of `a`.
void check_where(const char* function, const Array& a, const Array& where);
/// Elements where `where` is false replaced.
Array masked_operand(const char* function, const Array& a, const Array& where, const Scalar& replacement);

/// Checks the shape of `out`.
void check_out(const char* function, const char* ufunc, const Array& out, const Dims& expected);

}  // namespace cuprum::ops
