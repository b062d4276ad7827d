#include "backend/cuda/primitives/linalg/small_eigh.cuh"
#include "backend/cuda/primitives/linalg/small_launch.cuh"

namespace cuprum::cuda::primitives {

void small_eigh(Context& context, const View& a, const View& values, const View* vectors, bool lower,
                int* info) {
  const auto n = static_cast<int>(a.shape.back());
  const SmallViews<3> views(context, {&a, &values, vectors}, 1, a.shape.size() - 2);
  SmallStack<3> stack = views.stack();
  // The upper triangle is the lower one of the transpose, which is the conjugate.
  if (!lower) stack.matrix[0] = stack.matrix[0].t();
  with_number(a.type, [&](auto x) {
    with_side(n, [&](auto side) {
      eigh_small<decltype(x), side>
          <<<small_blocks(stack.batch.size, side), kSmallThreads, 0, context.stream>>>(stack, n, !lower,
                                                                                       info);
    });
  });
  launched(context, "linalg.eigh");
}

}  // namespace cuprum::cuda::primitives
