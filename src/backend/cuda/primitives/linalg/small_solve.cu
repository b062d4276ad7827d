#include "backend/cuda/primitives/linalg/small_lu.cuh"

namespace cuprum::cuda::primitives {

namespace {

/// Right-hand sides of one block: more columns are shared out to further ones, which factorize anew.
constexpr std::int64_t kColumns = 128;

template <class T, int N>
__global__ void __launch_bounds__(kSmallThreads)
    solve(const __grid_constant__ SmallStack<3> p, int n, std::int64_t columns, int* info) {
  const Lane<N> self(p.batch.size);
  const auto m = p.at(self.number);
  const SmallFactors<T, N> factors(m[0], self.lane, n);
  const std::int64_t first = blockIdx.y * kColumns, last = min(first + kColumns, columns);
  for (std::int64_t c = first; c < last; ++c) {
    const T unit = number<T>(self.lane == c ? 1 : 0);
    const T b = !p.matrix[1].data ? unit : self.lane < n ? m[1].template get<T>(self.lane, c) : T{};
    const T x = factors.solve(b, n);
    if (self.writes && factors.step < n) m[2].set(factors.step, c, factors.failed ? not_a_number<T>() : x);
  }
  if (self.writes && self.lane == 0 && blockIdx.y == 0) info[self.number] = factors.failed;
}

}  // namespace

void small_solve(Context& context, const View& a, const View* b, const View& out, int* info) {
  const std::size_t ndim = out.shape.size() - 2;
  const std::int64_t n = out.shape[ndim], columns = out.shape.back();
  const SmallViews<3> views(context, {&a, b, &out}, 2, ndim);
  SmallStack<3> stack = views.stack();
  if (!b) stack.matrix[1].data = nullptr;
  with_number(a.type, [&](auto x) {
    with_side(n, [&](auto side) {
      const dim3 grid(small_blocks(stack.batch.size, side),
                      static_cast<unsigned>(ceil_div(columns, kColumns)));
      solve<decltype(x), side>
          <<<grid, kSmallThreads, 0, context.stream>>>(stack, static_cast<int>(n), columns, info);
    });
  });
  launched(context, "linalg.solve");
}

}  // namespace cuprum::cuda::primitives
