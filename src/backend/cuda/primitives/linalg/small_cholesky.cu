#include "backend/cuda/primitives/linalg/small_cholesky.cuh"
#include "backend/cuda/primitives/linalg/small_launch.cuh"

namespace cuprum::cuda::primitives {

void small_cholesky(Context& context, const View& a, const View& out, bool upper, int* info) {
  const auto n = static_cast<int>(out.shape.back());
  const SmallViews<2> views(context, {&a, &out}, 1, out.shape.size() - 2);
  SmallStack<2> stack = views.stack();
  if (upper) {
    for (MatrixAt& matrix : stack.matrix) matrix = matrix.t();
  }
  with_number(a.type, [&](auto x) {
    with_side(n, [&](auto side) {
      cholesky_small<decltype(x), side>
          <<<small_blocks(stack.batch.size, side), kSmallThreads, 0, context.stream>>>(stack, n, info);
    });
  });
  launched(context, "linalg.cholesky");
}

}  // namespace cuprum::cuda::primitives
