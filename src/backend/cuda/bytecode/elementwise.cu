// The interpreter over every element of a kernel, as the Body of the elementwise skeleton.
#include <algorithm>

#include "backend/cuda/bytecode/interpreter.cuh"
#include "backend/cuda/bytecode/launch.cuh"
#include "backend/cuda/bytecode/launch.h"
#include "codegen/divisor.h"
#include "device/elementwise.cuh"

namespace cuprum::cuda::bytecode {

namespace {

template <class I>
struct Parameters {
  device::ElementwiseSpace<I> space;
  ProgramArgument program;
};

template <class I>
struct Body {
  using Params = Parameters<I>;
  using Index = I;
  static constexpr int kVector = kLanes, kUnroll = 1;
  static constexpr bool kWhole = false, kSingleRow = false;
  struct Loaded {};

  Machine<I> machine;

  CUPRUM_DEVICE explicit Body(const Params&) : machine(shared_memory(), static_cast<int>(threadIdx.x)) {}
  CUPRUM_DEVICE void load(I, I, int, Loaded&) {}
  CUPRUM_DEVICE void store(I major, I inner, int count, Loaded&) {
    machine.place_kept(major);
    machine.run(inner, count);
  }
};

template <class I>
__global__ void __launch_bounds__(kThreads, 4) interpret(const __grid_constant__ Parameters<I> p) {
  fetch_program(p.program);
  __syncthreads();
  Machine<I>(shared_memory(), static_cast<int>(threadIdx.x)).prepare();
  __syncthreads();
  device::elementwise<Body<I>>(p);
}

/// Blocks that a multiprocessor holds: by registers (four, see __launch_bounds__) and by shared memory.
int resident_blocks(const DeviceFacts& context, std::size_t shared_bytes) {
  const std::size_t by_shared = (context.shared_per_block + 1024) / (shared_bytes + 1024);
  return static_cast<int>(std::clamp<std::size_t>(by_shared, 1, 4));
}

template <class I>
void launch(Context& context, const Kernel& kernel, const Program& program) {
  std::int64_t rows = 1;
  for (std::size_t d = 0; d + 1 < kernel.shape.size(); ++d) rows *= kernel.shape[d];
  const std::int64_t inner = kernel.shape.empty() ? 1 : kernel.shape.back();
  const std::int64_t per_row = (inner + kLanes - 1) / kLanes;
  const std::int64_t items = rows * per_row;
  Parameters<I> p;
  p.space.inner = static_cast<I>(inner);
  p.space.items = static_cast<I>(items);
  p.space.per_row = make_divisor<I>(per_row);
  const Argument argument(context, program, p.program);

  static std::atomic<std::uint64_t> allowed = 0;
  allow_shared(context, &interpret<I>, context.shared_per_block, allowed);
  const std::int64_t most =
      std::int64_t{context.multiprocessors} * resident_blocks(context, program.shared_bytes);
  const auto blocks = static_cast<unsigned>(std::min((items + kThreads - 1) / kThreads, most));
  interpret<I><<<blocks, kThreads, program.shared_bytes, context.stream>>>(p);
  launched(context, "elementwise");
}

}  // namespace

void run_elementwise(Context& context, const Kernel& kernel, const Program& program) {
  if (program.wide) {
    launch<device::int64>(context, kernel, program);
  } else {
    launch<int>(context, kernel, program);
  }
}

}  // namespace cuprum::cuda::bytecode
