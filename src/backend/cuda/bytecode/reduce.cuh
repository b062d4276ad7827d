// The kernels of one reducer, and how the reducers are found. The files reduce_*.cu share them out: each kernel takes a
// second to compile.
#pragma once

#include "backend/cuda/bytecode/launch.cuh"
#include "backend/cuda/bytecode/launch.h"
#include "backend/cuda/bytecode/reduce_body.cuh"
#include "core/reduce_op.h"

namespace cuprum::cuda::bytecode {

using LaunchFn = void (*)(Context&, const ReduceParameters&, const ReduceShape&, std::size_t shared_bytes);

// By ReduceOp and reduced_type(); null: none.
LaunchFn find_sum(ReduceOp op, dtype type);            // sum, prod, mean
LaunchFn find_extremum(ReduceOp op, dtype type);       // min, max, fmin, fmax
LaunchFn find_position(ReduceOp op, dtype type);       // argmin, argmax, nanargmin, nanargmax
LaunchFn find_truth_or_bits(ReduceOp op, dtype type);  // any, all, logical_xor, bitwise_*
LaunchFn find_variance(ReduceOp op, dtype type);

template <class Reducer>
__global__ void __launch_bounds__(kThreads, 2) interpret_rows(const __grid_constant__ ReduceParameters p) {
  begin_block(p.program);
  device::reduce_rows<ReduceBody<Reducer, false>>(p);
}
template <class Reducer>
__global__ void __launch_bounds__(kThreads, 2) interpret_columns(const __grid_constant__ ReduceParameters p) {
  begin_block(p.program);
  device::reduce_columns<ReduceBody<Reducer, true>>(p);
}

template <class Function>
void launch_kernel(Context& context, Function* function, const ReduceParameters& p, const ReduceShape& shape,
                   std::size_t shared_bytes, std::atomic<std::uint64_t>& allowed) {
  allow_shared(context, function, context.shared_per_block - kReduceShared, allowed);
  const dim3 grid(static_cast<unsigned>(shape.blocks), static_cast<unsigned>(shape.splits));
  function<<<grid, kThreads, shared_bytes, context.stream>>>(p);
  launched(context, "reduction");
}

template <class Reducer>
void launch_reduction(Context& context, const ReduceParameters& p, const ReduceShape& shape,
                      std::size_t shared_bytes) {
  static_assert(sizeof(typename Reducer::State) <= kMaxStateBytes);
  static std::atomic<std::uint64_t> rows_allowed = 0, columns_allowed = 0;
  if (shape.form == Form::rows) {
    launch_kernel(context, &interpret_rows<Reducer>, p, shape, shared_bytes, rows_allowed);
  } else {
    launch_kernel(context, &interpret_columns<Reducer>, p, shape, shared_bytes, columns_allowed);
  }
}

/// The launch of Reducer<T> for the floating dtypes.
template <template <class> class Reducer>
LaunchFn find_floating(dtype type) {
  switch (type) {
    case dtype::float32: return &launch_reduction<Reducer<float>>;
    case dtype::float64: return &launch_reduction<Reducer<double>>;
    case dtype::complex64: return &launch_reduction<Reducer<kernels::complex64>>;
    case dtype::complex128: return &launch_reduction<Reducer<kernels::complex128>>;
    default: return nullptr;
  }
}

/// The same with the integers, which are folded in 64 bits.
template <template <class> class Reducer>
LaunchFn find_ordered(dtype type) {
  switch (type) {
    case dtype::int64: return &launch_reduction<Reducer<int64>>;
    case dtype::uint64: return &launch_reduction<Reducer<uint64>>;
    default: return find_floating<Reducer>(type);
  }
}

}  // namespace cuprum::cuda::bytecode
