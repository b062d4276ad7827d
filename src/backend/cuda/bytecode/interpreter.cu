// The interpreter as functions that the kernels of reductions share, and the reduction in index order, which is nothing
// but the interpreter.
#include "backend/cuda/bytecode/interpreter.cuh"

#include "backend/cuda/bytecode/reduce_body.cuh"

namespace cuprum::cuda::bytecode {

namespace {

CUPRUM_DEVICE Machine<int64> machine(Shared shared) {
  return Machine<int64>(shared, static_cast<int>(threadIdx.x));
}

}  // namespace

CUPRUM_CALL void prepare_block(Shared shared) { machine(shared).prepare(); }

CUPRUM_CALL void place_kept(Shared shared, int64 kept) { machine(shared).place_kept(kept); }

CUPRUM_CALL Shared value_of_group(Shared shared, int64 major, int64 inner, int count) {
  const Machine<int64> m = machine(shared);
  m.place_major(major);
  m.run(inner, count);
  return m.value();
}

CUPRUM_CALL int64 position_of(Shared shared, int64 inner) {
  const Machine<int64> m = machine(shared);
  return static_cast<int64>(m.number_of(m.header().positions, inner));
}

CUPRUM_CALL char* result_at(Shared shared, int64 inner) {
  const Machine<int64> m = machine(shared);
  return m.address(m.header().result, inner);
}

CUPRUM_CALL void reduce_in_order(Shared shared, int64 results, int64 count) {
  const Machine<int64> m = machine(shared);
  const int64 stride = static_cast<int64>(gridDim.x) * kThreads;
  const int result = m.header().result, log_size = m.access(result).log_size;
  const int planes = log_size <= 2 ? 1 : log_size == 3 ? 2 : 4;
  for (int64 r = static_cast<int64>(blockIdx.x) * kThreads + threadIdx.x; r < results; r += stride) {
    m.place_kept(r);
    for (int64 i = 0; i < count; ++i) {
      m.place_major(i);
      m.run(0, 1);
      if (i > 0) {
        m.fold();
      } else {
        for (int p = 0; p < planes; ++p) {
          store_plane(m.total() + p * kPlaneBytes, load_plane(m.value() + p * kPlaneBytes));
        }
      }
    }
    store_lane(m.address(result, 0), m.total(), 0, m.access(result));
  }
}

}  // namespace cuprum::cuda::bytecode
