// sum, prod, mean.
#include "backend/cuda/bytecode/reduce.cuh"

namespace cuprum::cuda::bytecode {

template <class T>
using Sum = device::Fold<device::Add, T>;
template <class T>
using Product = device::Fold<device::Multiply, T>;
template <class T>
using Mean = device::Fold<device::Add, T, true>;

LaunchFn find_sum(ReduceOp op, dtype type) {
  switch (op) {
    case ReduceOp::sum:
      return type == dtype::uint64 ? &launch_reduction<Sum<uint64>> : find_floating<Sum>(type);
    case ReduceOp::prod:
      return type == dtype::uint64 ? &launch_reduction<Product<uint64>> : find_floating<Product>(type);
    case ReduceOp::mean: return find_floating<Mean>(type);
    default: return nullptr;
  }
}

}  // namespace cuprum::cuda::bytecode
