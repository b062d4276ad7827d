#include "backend/cuda/primitives/linalg/small_launch.cuh"
#include "backend/cuda/primitives/linalg/small_lu.cuh"

namespace cuprum::cuda::primitives {

void small_solve(Context& context, const View& a, const View* b, const View& out, int* info) {
  const std::size_t ndim = out.shape.size() - 2;
  const std::int64_t n = out.shape[ndim], columns = out.shape.back();
  const SmallViews<3> views(context, {&a, b, &out}, 2, ndim);
  SmallStack<3> stack = views.stack();
  if (!b) stack.matrix[1].data = nullptr;
  with_number(a.type, [&](auto x) {
    with_side(n, [&](auto side) {
      const dim3 grid(small_blocks(stack.batch.size, side),
                      static_cast<unsigned>(ceil_div(columns, kSolveColumns)));
      solve_small<decltype(x), side>
          <<<grid, kSmallThreads, 0, context.stream>>>(stack, static_cast<int>(n), columns, info);
    });
  });
  launched(context, "linalg.solve");
}

}  // namespace cuprum::cuda::primitives
