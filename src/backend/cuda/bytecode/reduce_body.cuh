// The interpreter as the Body of the skeletons of reductions: one reduction per launch, values from the program.
//
// Kernels differ in the reducer alone; what they do to reach a value lies in functions that they share (interpreter.cu).
#pragma once

#include "backend/cuda/bytecode/argument.cuh"
#include "backend/cuda/bytecode/groups.cuh"
#include "device/reduce_columns.cuh"
#include "device/reduce_rows.cuh"

namespace cuprum::cuda::bytecode {

// By the program at `shared` and the thread's own coordinates; defined in interpreter.cu. They get the address of dynamic
// shared memory from the kernel: if they named it, the linker would put it behind the largest static part of all kernels.
CUPRUM_CALL void prepare_block(Shared shared);
CUPRUM_CALL void place_kept(Shared shared, int64 kept);
CUPRUM_CALL Shared value_of_group(Shared shared, int64 major, int64 inner, int count);
CUPRUM_CALL int64 position_of(Shared shared, int64 inner);
CUPRUM_CALL char* result_at(Shared shared, int64 inner);
CUPRUM_CALL void reduce_in_order(Shared shared, int64 results, int64 count);

struct ReduceParameters {
  device::ReduceSpace<int64> space;
  double ddof;
  dtype out;
  ProgramArgument program;
};

static_assert(kThreads == device::kBlock && kLanes == device::kQuad);

CUPRUM_DEVICE void begin_block(const ProgramArgument& program) {
  fetch_program(program);
  __syncthreads();
  prepare_block(shared_memory());
  __syncthreads();
}

// -- Results, as the dtype that was asked for.

template <kernels::integer T>
CUPRUM_DEVICE void write_result(char* to, T value, dtype out) {
  switch (itemsize(out)) {
    case 1: return write(to, static_cast<uint8>(out == dtype::bool_ ? value != 0 : value));
    case 2: return write(to, static_cast<kernels::uint16>(value));
    case 4: return write(to, static_cast<uint32>(value));
    default: return write(to, static_cast<uint64>(value));
  }
}
CUPRUM_DEVICE void write_result(char* to, bool value, dtype out) { write_result(to, uint32(value), out); }
CUPRUM_DEVICE void write_result(char* to, float value, dtype out) {
  if (out == dtype::float16) {
    write(to, kernels::narrow<kernels::float16>(value).bits);
  } else if (out == dtype::bfloat16) {
    write(to, kernels::narrow<kernels::bfloat16>(value).bits);
  } else {
    write(to, value);
  }
}
CUPRUM_DEVICE void write_result(char* to, double value, dtype) { write(to, value); }
template <class R>
CUPRUM_DEVICE void write_result(char* to, kernels::complex<R> value, dtype) {
  write(to, value.re);
  write(to + sizeof(R), value.im);
}

/// `columns`: results lie along the inner row.
template <class Reducer, bool columns>
struct ReduceBody {
  using Params = ReduceParameters;
  using Index = int64;
  using Reducers = device::List<Reducer>;
  using Value = typename Reducer::Value;
  static constexpr int kVector = device::kQuad, kUnroll = 1;
  static constexpr bool kWhole = false, kSingleRow = false;
  struct Loaded {};

  const Params& p;
  int64 first = 0;  // result at the beginning of the inner row

  CUPRUM_DEVICE explicit ReduceBody(const Params& params) : p(params) {}
  CUPRUM_DEVICE void outer(int64 o) {
    place_kept(shared_memory(), o);
    first = columns ? o * p.space.inner : o;
  }
  CUPRUM_DEVICE void load(int64, int64, int, Loaded&) {}
  CUPRUM_DEVICE void values(int64 major, int64 inner, int count, Loaded&, typename Reducers::Values& to) {
    Lanes<Value> lanes;
    lanes.load(value_of_group(shared_memory(), major, inner, count));
#pragma unroll
    for (int i = 0; i < kLanes; ++i) device::get<0>(to).lane[i] = lanes.get(i);
  }
  template <int>
  CUPRUM_DEVICE int64 position(int64, int64 inner) {
    return position_of(shared_memory(), inner);
  }
  template <int>
  CUPRUM_DEVICE void result(int64 kept, typename Reducer::Result value) {
    write_result(result_at(shared_memory(), kept - first), value, p.out);
  }
  template <int>
  CUPRUM_DEVICE double ddof() {
    return p.ddof;
  }
};

}  // namespace cuprum::cuda::bytecode
