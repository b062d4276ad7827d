// Row programs: groups of an evaluation that become stages of one kernel (runtime/program.h).
//
// A group joins the kernel of earlier reductions if it works on the same space, or on the rows of it, and reads their results as
// values of the row: `x - x.mean(1, keepdims=True)`, `sqrt(x.var(0))`. Its results are computed while the row is near, and the row
// values and dead elements that only this kernel reads never touch memory.
#pragma once

#include "expr/schedule.h"

namespace cuprum {

/// The space of a kernel's elements, and which of its axes are reduced.
struct RowSpace {
  const Dims& shape;
  std::uint64_t axes;

  /// Is an array of this shape one of row values: with the reduced axes of size 1, or without them?
  bool is_row(const Dims& other) const;
  /// Strides over `from`, which is the space or a shape of row values, as strides over the space: 0 along the reduced axes of rows.
  Dims lift(const Dims& strides, const Dims& from) const;
  /// Does `operand` read `node`, an array of row values, as those values, one per row?
  bool reads_row(const Operand& operand, const Dims& owner, const Node& node) const;
};

/// Turns groups into stages of earlier ones. The plan's groups are in order, and their nodes have the numbers of that order;
/// afterwards they have so again, with one number for all stages of a kernel.
void form_row_programs(Schedule& plan);

}  // namespace cuprum
