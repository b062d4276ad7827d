// The kernels of fold.h for one dtype. The operation is chosen inside the kernel, by one switch over the table of
// operations: a step takes some ten cycles longer, and there is one kernel per dtype instead of one per loop.
//
// Rows of a scan are walked by one thread each; a warp reads and writes them through shared memory, 128 bytes of a row at
// a time.
#pragma once

#include "backend/cuda/primitives/common/element.cuh"
#include "backend/cuda/primitives/fold/fold.h"
#include "core/meaning.h"
#include "core/op_signatures.h"

namespace cuprum::cuda::primitives {

/// Does the loop give its first argument's dtype, so that its result can be its next first argument?
template <Op op, dtype key>
constexpr bool can_fold() {
  if constexpr (op == Op::cast || input_count(op) > 2 || !has_loop(op, key)) {
    return false;
  } else {
    constexpr Signature s = signature_of(op, key);
    return s.in[0] == s.out && key_input(op) == 0;
  }
}

template <Op op, dtype key>
__device__ void fold_one(Element<key>& x, const char* b) {
  if constexpr (can_fold<op, key>()) {
    if constexpr (input_count(op) == 1) {
      x = Meaning<op>::of(x);
    } else {
      x = Meaning<op>::of(x, read_element<Element<signature_of(op, key).in[1]>>(b));
    }
  }
}

/// x = op(x, *b)
template <dtype key>
__device__ __noinline__ Element<key> fold(Op op, Element<key> x, const char* b) {
  switch (op) {
#define CUPRUM_OP(name, ...)       \
  case Op::name:                   \
    fold_one<Op::name, key>(x, b); \
    break;
#include "core/op_table.def"
#undef CUPRUM_OP
    default: break;
  }
  return x;
}

inline constexpr int kFoldWarps = 4;

/// Elements of a row that a warp holds at a time.
template <class T>
constexpr int fold_columns() {
  return sizeof(T) >= 16 ? 8 : sizeof(T) == 8 ? 16 : 32;
}

template <dtype key>
__global__ void __launch_bounds__(32 * kFoldWarps) fold_rows_kernel(Op op, const FoldRows rows) {
  using T = Element<key>;
  constexpr int kColumns = fold_columns<T>(), kPad = sizeof(T) < 4 ? 4 / sizeof(T) : 1;
  __shared__ alignas(16) unsigned char memory[kFoldWarps][32 * (kColumns + kPad) * sizeof(T)];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  T* const tile = reinterpret_cast<T*>(memory[warp]);
  const auto cell = [&](int row, int column) -> T& { return tile[row * (kColumns + kPad) + column]; };
  const std::int64_t first = (std::int64_t{blockIdx.x} * kFoldWarps + warp) * 32;
  if (first >= rows.rows) return;
  const int count = rows.rows - first < 32 ? static_cast<int>(rows.rows - first) : 32;
  T state{};
  for (std::int64_t begin = 0; begin < rows.n; begin += kColumns) {
    const int width = rows.n - begin < kColumns ? static_cast<int>(rows.n - begin) : kColumns;
    const int column = lane % kColumns;
#pragma unroll 8
    for (int row = lane / kColumns; row < count; row += 32 / kColumns) {
      if (column >= width) continue;
      cell(row, column) =
          read_element<T>(rows.in + (first + row) * rows.in_row + (begin + column) * rows.in_step);
    }
    __syncwarp();
    if (lane < count) {
      for (int i = 0; i < width; ++i) {
        T& x = cell(lane, i);
        state = begin + i == 0 ? x : fold<key>(op, state, reinterpret_cast<const char*>(&x));
        x = state;
      }
    }
    __syncwarp();
#pragma unroll 8
    for (int row = lane / kColumns; row < count; row += 32 / kColumns) {
      if (column >= width) continue;
      write_element(rows.out + (first + row) * rows.out_row + (begin + column) * rows.out_step,
                    cell(row, column));
    }
    __syncwarp();
  }
}

template <dtype key>
__global__ void __launch_bounds__(128)
    fold_places_kernel(Op op, const __grid_constant__ Move move, const Destinations sorted) {
  using T = Element<key>;
  const std::int64_t i = std::int64_t{blockIdx.x} * 128 + threadIdx.x;
  if (i >= move.size) return;
  const auto [rank, column] = move.item(i);
  const std::int64_t number = sorted.place(rank);
  if (number == sorted.places || !sorted.is_first(rank)) return;
  std::int64_t at[kIndexArrays + 1], in_row[2];
  move.row.offsets(column, in_row);
  move.positions.offsets(sorted.position(rank), at);
  char* const target = move.array + move.indices.locate(at).offset + in_row[0];
  T state = read_element<T>(target);
  for (std::int64_t k = rank; k < sorted.count && sorted.place(k) == number; ++k) {
    move.positions.offsets(sorted.position(k), at);
    state = fold<key>(op, state, move.line + at[kIndexArrays] + in_row[1]);
  }
  write_element(target, state);
}

template <dtype key>
void launch_fold_rows(Context& context, Op op, const FoldRows& rows) {
  fold_rows_kernel<key>
      <<<block_count(rows.rows, 32 * kFoldWarps), 32 * kFoldWarps, 0, context.stream>>>(op, rows);
  launched(context, "accumulate");
}

template <dtype key>
void launch_fold_places(Context& context, Op op, const Move& move, const Destinations& sorted) {
  fold_places_kernel<key><<<block_count(move.size, 128), 128, 0, context.stream>>>(op, move, sorted);
  launched(context, "ufunc.at");
}

#define CUPRUM_FOLD(key)                                                     \
  template void launch_fold_rows<dtype::key>(Context&, Op, const FoldRows&); \
  template void launch_fold_places<dtype::key>(Context&, Op, const Move&, const Destinations&);

}  // namespace cuprum::cuda::primitives
