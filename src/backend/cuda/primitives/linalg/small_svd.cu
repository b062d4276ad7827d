#include "backend/cuda/primitives/linalg/small_launch.cuh"
#include "backend/cuda/primitives/linalg/small_svd.cuh"

namespace cuprum::cuda::primitives {

void small_svd(Context& context, const View& a, const View& s, const View* u, const View* vh, int* info) {
  const std::size_t ndim = a.shape.size() - 2;
  const auto rows = static_cast<int>(a.shape[ndim]), columns = static_cast<int>(a.shape.back());
  const bool wide = rows < columns;
  const SmallViews<SvdViews::count> views(context, {&a, &s, wide ? vh : u, wide ? u : vh}, 1, ndim);
  SmallStack<SvdViews::count> stack = views.stack();
  // a = u s v^H; of a wide matrix the transpose is factorized, so that a = conj(v) s u^T. Written are columns
  // of u and of conj(v).
  MatrixAt& left = stack.matrix[SvdViews::left];
  MatrixAt& right = stack.matrix[SvdViews::right];
  if (wide) {
    stack.matrix[SvdViews::matrix] = stack.matrix[SvdViews::matrix].t();
    left = left.t();
  } else {
    right = right.t();
  }
  const int high = std::max(rows, columns), low = std::min(rows, columns);
  const View* const longer = wide ? vh : u;
  const int width = !u ? low : static_cast<int>(longer->shape[ndim + (wide ? 0 : 1)]);
  const SvdShape shape{high, low, width};
  with_number(a.type, [&](auto x) {
    with_side(high, [&](auto side) {
      const unsigned blocks = small_blocks(stack.batch.size, side);
      if (u)
        svd_small<decltype(x), side, true><<<blocks, kSmallThreads, 0, context.stream>>>(stack, shape, info);
      else
        svd_small<decltype(x), side, false><<<blocks, kSmallThreads, 0, context.stream>>>(stack, shape, info);
    });
  });
  launched(context, "linalg.svd");
}

}  // namespace cuprum::cuda::primitives
