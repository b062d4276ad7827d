// Evenly spaced values as NumPy makes them: the first two are rounded from start and start + step, and their distance,
// not `step`, makes the others: x[i] = x[0] + i * (x[1] - x[0]).
#include "backend/cuda/primitives/common/views.h"
#include "backend/cuda/primitives/common/words.cuh"
#include "core/cast.h"
#include "kernels/small_float.h"

namespace cuprum::cuda {

namespace primitives {

namespace {

constexpr int kThreads = 256;

/// Integers wrap around; unsigned ones have the bits of the signed.
template <class T>
struct Integers {
  T first, second;
  __device__ T operator()(std::int64_t i) const {
    const std::uint64_t start = first, delta = static_cast<std::uint64_t>(second) - start;
    return static_cast<T>(start + static_cast<std::uint64_t>(i) * delta);
  }
};

template <class T>
struct Floats {
  T first, second;
  __device__ T operator()(std::int64_t i) const {
    if constexpr (kernels::small_float<T>) {  // computed in float32
      const float start = kernels::widen(first), delta = kernels::widen(second) - start;
      return kernels::narrow<T>(start + static_cast<float>(i) * delta);
    } else {
      return first + static_cast<T>(i) * (second - first);
    }
  }
};

template <class Values>
__global__ void write_range(const Values values, char* out, std::int64_t stride, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= n) return;
  store(out + i * stride, i == 0 ? values.first : i == 1 ? values.second : values(i));
}

/// One part of the numbers: all of a real one, or the real or the imaginary part.
struct Part {
  char* out;
  std::int64_t stride, n;
  const unsigned char *first, *second;
};

template <template <class> class Values, class T>
void write_part(Context& context, const Part& part) {
  Values<T> values;
  std::memcpy(&values.first, part.first, sizeof(T));
  std::memcpy(&values.second, part.second, sizeof(T));
  write_range<<<block_count(part.n, kThreads), kThreads, 0, context.stream>>>(values, part.out, part.stride,
                                                                              part.n);
  launched(context, "arange");
}

void write_part(Context& context, dtype type, const Part& part) {
  switch (type) {
    case dtype::float16: return write_part<Floats, kernels::float16>(context, part);
    case dtype::bfloat16: return write_part<Floats, kernels::bfloat16>(context, part);
    case dtype::float32: return write_part<Floats, float>(context, part);
    case dtype::float64: return write_part<Floats, double>(context, part);
    default: break;
  }
  switch (itemsize(type)) {
    case 1: return write_part<Integers, std::uint8_t>(context, part);
    case 2: return write_part<Integers, std::uint16_t>(context, part);
    case 4: return write_part<Integers, std::uint32_t>(context, part);
    default: return write_part<Integers, std::uint64_t>(context, part);
  }
}

/// start + step before it is rounded to the dtype of the range.
Scalar second_value(const Scalar& start, const Scalar& step) {
  if (is_complex(start.type) || is_complex(step.type)) {
    using Complex = kernels::complex128;
    const auto a = cast_scalar(start, dtype::complex128).as<Complex>(),
               b = cast_scalar(step, dtype::complex128).as<Complex>();
    return Scalar::of(dtype::complex128, Complex{a.re + b.re, a.im + b.im});
  }
  if (is_floating(start.type) || is_floating(step.type)) {
    const auto a = cast_scalar(start, dtype::float64).as<double>(),
               b = cast_scalar(step, dtype::float64).as<double>();
    return Scalar::of(dtype::float64, a + b);
  }
  const auto a = cast_scalar(start, dtype::int64).as<std::uint64_t>(),
             b = cast_scalar(step, dtype::int64).as<std::uint64_t>();
  return Scalar::of(dtype::int64, a + b);
}

}  // namespace

}  // namespace primitives

static void arange(Context& context, const View& out, const Scalar& start, const Scalar& step) {
  using namespace primitives;
  const std::int64_t n = out.shape[0];
  if (n == 0) return;
  DenseOutput to(context, out);
  const Scalar first = cast_scalar(start, out.type),
               second = cast_scalar(second_value(start, step), out.type);
  const dtype part = real_type(out.type);
  for (std::size_t offset = 0; offset < itemsize(out.type); offset += itemsize(part)) {
    write_part(context, part,
               {bytes(to.view().data) + offset, static_cast<std::int64_t>(itemsize(out.type)), n,
                first.bytes + offset, second.bytes + offset});
  }
  to.finish(context);
}

void call(Context& context, const Arange& p, Operands, const View& out) {
  arange(context, out, p.start, p.step);
}

}  // namespace cuprum::cuda
