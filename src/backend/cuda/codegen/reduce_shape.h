// How a reduction is cut: all that decides the order of its additions. It depends on the extents of the kernel, on which
// dimensions are reduced and on which are parts of one logical dimension, never on dtypes, accesses or the device.
#pragma once

#include <cstdint>

#include "runtime/program.h"

namespace cuprum::cuda {

/// The skeletons of device/.
enum class Form : std::uint8_t { elementwise, tiles, rows, columns, serial, row_program, row_cluster };

constexpr bool is_row_program(Form form) { return form == Form::row_program || form == Form::row_cluster; }

inline constexpr int kMaxTickets =
    1024;  // blockIdx.x of kernels whose results are shared by blocks is below this
inline constexpr int kMaxStateBytes = 64;  // of one reducer, rounded up to 16

struct ReduceShape {
  Form form = Form::rows;
  int inner_dims = 0;      // trailing dimensions of the kernel that form the inner row
  std::int64_t inner = 1;  // see device::ReduceSpace
  std::int64_t row_items = 1;
  std::int64_t items = 1;
  std::int64_t major = 1;
  std::int64_t results = 1;
  std::int64_t count = 1;
  std::int64_t part = 1;
  std::int64_t blocks = 1;  // gridDim.x
  int shift = 0;
  int splits = 1;
};

/// `in_order`: for the reductions that may not be regrouped (ReduceOp::generic).
ReduceShape reduce_shape(const Kernel& kernel, bool in_order);

/// Bytes of partial states of `reducers` reductions.
inline std::int64_t partial_bytes(const ReduceShape& shape, int reducers) {
  return shape.splits == 1 ? 0 : shape.results * shape.splits * reducers * kMaxStateBytes;
}

}  // namespace cuprum::cuda
