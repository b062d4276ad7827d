#include "backend/cuda/primitives/linalg/scaled_product.cuh"
#include "backend/cuda/primitives/linalg/small_lu.cuh"

namespace cuprum::cuda::primitives {

namespace {

template <class T, int N>
__global__ void __launch_bounds__(kSmallThreads)
    determinant(const __grid_constant__ SmallStack<1> p, int n, T* first, Real<T>* second) {
  const Lane<N> self(p.batch.size);
  const SmallFactors<T, N> factors(p.at(self.number)[0], self.lane, n);
  ScaledProduct<T> product;
#pragma unroll
  for (int i = 0; i < N; ++i) {
    if (i >= n) break;
    product.multiply(from_lane(factors.pivot, factors.order[i], N));
  }
  if (factors.odd) product.value = negated(product.value);
  if (factors.failed) product.value = T{};
  if (self.writes && self.lane == 0)
    put_determinant(product, first + self.number, second ? second + self.number : nullptr);
}

}  // namespace

void small_determinant(Context& context, const View& a, std::span<const View> out, bool log) {
  const std::size_t ndim = a.shape.size() - 2;
  const auto n = static_cast<int>(a.shape.back());
  const SmallViews<1> views(context, {&a}, 1, ndim);
  const SmallStack<1>& stack = views.stack();
  with_number(a.type, [&](auto x) {
    using T = decltype(x);
    with_side(n, [&](auto side) {
      determinant<T, side><<<small_blocks(stack.batch.size, side), kSmallThreads, 0, context.stream>>>(
          stack, n, reinterpret_cast<T*>(out[0].data.address()),
          log ? reinterpret_cast<Real<T>*>(out[1].data.address()) : nullptr);
    });
  });
  launched(context, "linalg.det");
}

}  // namespace cuprum::cuda::primitives
