// any, all, logical_xor, bitwise_and, bitwise_or, bitwise_xor.
#include "backend/cuda/bytecode/reduce.cuh"

namespace cuprum::cuda::bytecode {

LaunchFn find_truth_or_bits(ReduceOp op, dtype type) {
  const bool truth = type == dtype::bool_, bits = type == dtype::uint64;
  switch (op) {
    case ReduceOp::any: return truth ? &launch_reduction<device::Fold<device::Any, bool>> : nullptr;
    case ReduceOp::all: return truth ? &launch_reduction<device::Fold<device::All, bool>> : nullptr;
    case ReduceOp::logical_xor: return truth ? &launch_reduction<device::Fold<device::Odd, bool>> : nullptr;
    case ReduceOp::bitwise_and:
      return bits ? &launch_reduction<device::Fold<device::BitAnd, uint64>> : nullptr;
    case ReduceOp::bitwise_or: return bits ? &launch_reduction<device::Fold<device::BitOr, uint64>> : nullptr;
    case ReduceOp::bitwise_xor:
      return bits ? &launch_reduction<device::Fold<device::BitXor, uint64>> : nullptr;
    default: return nullptr;
  }
}

}  // namespace cuprum::cuda::bytecode
