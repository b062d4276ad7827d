// var.
#include "backend/cuda/bytecode/reduce.cuh"

namespace cuprum::cuda::bytecode {

LaunchFn find_variance(ReduceOp op, dtype type) {
  return op == ReduceOp::var ? find_floating<device::Variance>(type) : nullptr;
}

}  // namespace cuprum::cuda::bytecode
