// A program's own kernels: not on CUDA devices yet. CudaBackend::compile says so, before there is anything to launch.
#include "backend/cuda/context.h"
#include "cuprum/error.h"

namespace cuprum::cuda {

void call(Context& context, const Launch& p, Operands in, Operands out) {
  throw DeviceError("cuprum: a kernel that was compiled for the CPU cannot be launched on a CUDA device");
}

}  // namespace cuprum::cuda
