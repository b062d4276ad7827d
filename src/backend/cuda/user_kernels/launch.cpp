// The form of Launch: a program's own kernel, on the stream of the call. Nothing is allocated from the second launch of a thread on.
#include "backend/cuda/context.h"
#include "backend/cuda/driver.h"
#include "backend/cuda/user_kernels/function.h"
#include "runtime/debug.h"

namespace cuprum::cuda {

void call(Context& context, const Launch& p, Operands in, Operands out) {
  static thread_local LaunchArguments arguments;
  void** const parameters =
      arguments.fill(p, in, out, [](const View& view) { return static_cast<std::byte*>(view.data); });
  const CUfunction function = static_cast<const CudaFunction&>(*p.function).function();
  const auto stream = reinterpret_cast<CUstream>(context.stream);
  const Extent3 &grid = p.grid, &block = p.block;
  const CUresult status =
      p.cooperative ? driver().cuLaunchCooperativeKernel(function, grid.x, grid.y, grid.z, block.x, block.y,
                                                         block.z, p.shared_bytes, stream, parameters)
                    : driver().cuLaunchKernel(function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                              p.shared_bytes, stream, parameters, nullptr);
  if (status != CUDA_SUCCESS) [[unlikely]]
    check(status, ("kernel " + p.function->name).c_str());
  if (debugging()) launched(context, ("kernel " + p.function->name).c_str());
}

}  // namespace cuprum::cuda
