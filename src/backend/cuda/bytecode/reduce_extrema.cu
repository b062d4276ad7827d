// min, max, fmin, fmax.
#include "backend/cuda/bytecode/reduce.cuh"

namespace cuprum::cuda::bytecode {

template <class T>
using Min = device::Fold<device::Minimum, T>;
template <class T>
using Max = device::Fold<device::Maximum, T>;
template <class T>
using FMin = device::Fold<device::FMin, T>;
template <class T>
using FMax = device::Fold<device::FMax, T>;

LaunchFn find_extremum(ReduceOp op, dtype type) {
  const bool whole = is_integer(type);  // without NaN
  switch (op) {
    case ReduceOp::min: return find_ordered<Min>(type);
    case ReduceOp::max: return find_ordered<Max>(type);
    case ReduceOp::fmin: return whole ? find_ordered<Min>(type) : find_floating<FMin>(type);
    case ReduceOp::fmax: return whole ? find_ordered<Max>(type) : find_floating<FMax>(type);
    default: return nullptr;
  }
}

}  // namespace cuprum::cuda::bytecode
