#include "backend/cuda/primitives/linalg/small_launch.cuh"
#include "backend/cuda/primitives/linalg/small_lu.cuh"

namespace cuprum::cuda::primitives {

void small_determinant(Context& context, const View& a, std::span<const View> out, bool log) {
  const std::size_t ndim = a.shape.size() - 2;
  const auto n = static_cast<int>(a.shape.back());
  const SmallViews<1> views(context, {&a}, 1, ndim);
  const SmallStack<1>& stack = views.stack();
  with_number(a.type, [&](auto x) {
    using T = decltype(x);
    with_side(n, [&](auto side) {
      determinant_small<T, side><<<small_blocks(stack.batch.size, side), kSmallThreads, 0, context.stream>>>(
          stack, n, reinterpret_cast<T*>(out[0].data.address()),
          log ? reinterpret_cast<Real<T>*>(out[1].data.address()) : nullptr);
    });
  });
  launched(context, "linalg.det");
}

}  // namespace cuprum::cuda::primitives
