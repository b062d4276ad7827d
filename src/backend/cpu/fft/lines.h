// Transforms along one axis of a strided array: lines, in blocks, by threads.
#pragma once

#include "backend/cpu/fft/rows.h"
#include "runtime/program.h"

namespace cuprum::cpu::fft {

/// The lines along dimension `axis`. The views have the same extents but for that one: `from` has as many points as there are,
/// `to` as many as come out. They are apart, or the same memory with the same strides.
struct Lines {
  View from, to;
  std::size_t axis;
};

void transform(const RowPlan& plan, const Lines& lines, bool backward, double scale);

}  // namespace cuprum::cpu::fft
