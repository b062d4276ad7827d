// The order of many positions by a key (kernels/random/order.h): a thread tells two of them, which it stores at once.
#include "kernels/random/order.h"

#include "backend/cuda/primitives/random/elements.cuh"

namespace cuprum::cuda::primitives {

namespace {

__global__ void __launch_bounds__(kElementThreads)
    tell_order(const __grid_constant__ random::KeyedOrder order, std::int64_t n, std::int64_t* out) {
  const std::int64_t i = 2 * (std::int64_t{blockIdx.x} * kElementThreads + threadIdx.x);
  if (i >= n) return;
  const std::int64_t next = min(i + 1, n - 1);
  const std::int64_t places[2] = {order(static_cast<std::uint64_t>(i)),
                                  order(static_cast<std::uint64_t>(next))};
  if (i + 1 < n)
    store_row(out + i, places);
  else
    out[i] = places[0];
}

}  // namespace

void draw_order(Context& context, const DrawJob& job) {
  const auto order = random::KeyedOrder::of(job.draw.parameters[0], stream_of(job.state, false));
  tell_order<<<block_count(job.n, std::int64_t{2} * kElementThreads), kElementThreads, 0, context.stream>>>(
      order, job.n, static_cast<std::int64_t*>(job.out));
  launched(context, "random");
}

}  // namespace cuprum::cuda::primitives
