#include "backend/cuda/primitives/linalg/small_launch.cuh"
#include "backend/cuda/primitives/linalg/small_qr.cuh"

namespace cuprum::cuda::primitives {

void small_qr(Context& context, const View& a, const SmallQr& to) {
  const std::size_t ndim = a.shape.size() - 2;
  const SmallViews<QrViews::count> views(context, {&a, to.reflectors, to.factors, to.q, to.r}, 1, ndim);
  const auto m = static_cast<int>(a.shape[ndim]), n = static_cast<int>(a.shape.back());
  const QrShape shape{m, n, to.r ? static_cast<int>(to.r->shape[ndim]) : min(m, n)};
  const SmallStack<QrViews::count>& stack = views.stack();
  with_number(a.type, [&](auto x) {
    with_side(std::max(m, n), [&](auto side) {
      qr_small<decltype(x), side>
          <<<small_blocks(stack.batch.size, side), kSmallThreads, 0, context.stream>>>(stack, shape);
    });
  });
  launched(context, "linalg.qr");
}

}  // namespace cuprum::cuda::primitives
