// argmin, argmax, nanargmin, nanargmax.
#include "backend/cuda/bytecode/reduce.cuh"

namespace cuprum::cuda::bytecode {

// A kernel's dimensions may stand in another order than the logical ones: positions need not increase.
template <class T>
using ArgMin = device::Arg<device::Smallest, T, int64, false>;
template <class T>
using ArgMax = device::Arg<device::Largest, T, int64, false>;
template <class T>
using NanArgMin = device::Arg<device::SmallestNumber, T, int64, false>;
template <class T>
using NanArgMax = device::Arg<device::LargestNumber, T, int64, false>;

LaunchFn find_position(ReduceOp op, dtype type) {
  const bool whole = is_integer(type);
  switch (op) {
    case ReduceOp::argmin: return find_ordered<ArgMin>(type);
    case ReduceOp::argmax: return find_ordered<ArgMax>(type);
    case ReduceOp::nanargmin: return whole ? find_ordered<ArgMin>(type) : find_floating<NanArgMin>(type);
    case ReduceOp::nanargmax: return whole ? find_ordered<ArgMax>(type) : find_floating<NanArgMax>(type);
    default: return nullptr;
  }
}

}  // namespace cuprum::cuda::bytecode
