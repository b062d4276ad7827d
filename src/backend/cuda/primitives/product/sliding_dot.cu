// Convolution and correlation; the kernel is in sliding_dot.cuh.
#include "backend/cuda/primitives/product/sliding_dot.cuh"

#include "backend/cuda/primitives/common/element.cuh"
#include "backend/cuda/primitives/common/views.h"

namespace cuprum::cuda {

namespace primitives {

namespace {

template <class T>
void slide(Context& context, const View& a, const View& v, std::int64_t left, const View& out) {
  const SlidingProduct<T> dot{reinterpret_cast<const T*>(a.data.address()),
                              a.shape[0],
                              reinterpret_cast<const T*>(v.data.address()),
                              v.shape[0],
                              left,
                              reinterpret_cast<T*>(out.data.address()),
                              out.shape[0]};
  sliding_tiles<<<block_count(dot.count, kSlidingResults), kSlidingThreads, 0, context.stream>>>(dot);
  launched(context, "sliding_dot");
}

/// Integers of one size have the same bits, signed or not.
void slide(Context& context, dtype type, const View& a, const View& v, std::int64_t left, const View& out) {
  switch (type) {
    case dtype::bool_: return slide<bool>(context, a, v, left, out);
    case dtype::int8:
    case dtype::uint8: return slide<kernels::uint8>(context, a, v, left, out);
    case dtype::int16:
    case dtype::uint16: return slide<kernels::uint16>(context, a, v, left, out);
    case dtype::int32:
    case dtype::uint32: return slide<kernels::uint32>(context, a, v, left, out);
    case dtype::int64:
    case dtype::uint64: return slide<kernels::uint64>(context, a, v, left, out);
    case dtype::float32: return slide<float>(context, a, v, left, out);
    case dtype::float64: return slide<double>(context, a, v, left, out);
    case dtype::complex64: return slide<kernels::complex64>(context, a, v, left, out);
    case dtype::complex128: return slide<kernels::complex128>(context, a, v, left, out);
    default: return;  // float16 and bfloat16: callers widen them
  }
}

}  // namespace

}  // namespace primitives

static void sliding_dot(Context& context, const View& a, const View& v, std::int64_t left, const View& out) {
  using namespace primitives;
  if (size_of(out) == 0) return;
  const Dense along(context, a), weights(context, v);
  DenseOutput sums(context, out);
  slide(context, out.type, along.view(), weights.view(), left, sums.view());
  sums.finish(context);
}

void call(Context& context, const SlidingDot& p, Operands in, const View& out) {
  sliding_dot(context, in[0], in[1], p.left, out);
}

}  // namespace cuprum::cuda
