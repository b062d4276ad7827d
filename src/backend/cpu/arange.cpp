// Evenly spaced values as NumPy makes them: the first two are rounded from start and start + step, and their
// distance, not `step`, makes the others: x[i] = x[0] + i * (x[1] - x[0]).
#include "backend/cpu/arange.h"

#include <algorithm>
#include <cstring>

#include "backend/cpu/backend.h"
#include "backend/cpu/loops.h"
#include "backend/cpu/threads.h"
#include "kernels/small_float.h"

namespace cuprum::cpu {

namespace {

Scalar cast(const Scalar& value, dtype to) {
  Scalar result = value;
  result.type = to;
  if (value.type != to) {
    loops().cast[static_cast<int>(value.type)][static_cast<int>(to)](1, result.bytes, value.bytes, nullptr,
                                                                     nullptr);
  }
  return result;
}

/// start + step in the widest dtype of their kind.
Scalar second_value(const Scalar& start, const Scalar& step) {
  const bool any_complex = is_complex(start.type) || is_complex(step.type);
  const bool any_float = is_floating(start.type) || is_floating(step.type);
  const dtype wide = any_complex ? dtype::complex128 : any_float ? dtype::float64 : dtype::int64;
  Scalar sum;
  sum.type = wide;
  loops().loop[static_cast<int>(Op::add)][static_cast<int>(wide)](1, sum.bytes, cast(start, wide).bytes,
                                                                  cast(step, wide).bytes, nullptr);
  return sum;
}

/// Where the values go: contiguous parts of complex numbers and strided arrays alike.
struct Target {
  std::byte* data;
  std::int64_t step, n;
};

/// Writes the two given values, and value(i) for i >= 2.
template <class T, class Value>
void write(const Target& to, T first, T second, Value&& value) {
  constexpr std::int64_t kChunk = 1 << 16;
  const auto store = [&](std::int64_t i, T x) { std::memcpy(to.data + i * to.step, &x, sizeof(T)); };
  parallel_for((to.n + kChunk - 1) / kChunk, [&](std::int64_t chunk) {
    const std::int64_t begin = chunk * kChunk, end = std::min(to.n, begin + kChunk);
    if (to.step == sizeof(T) && reinterpret_cast<std::uintptr_t>(to.data) % sizeof(T) == 0) {
      T* out = reinterpret_cast<T*>(to.data);
      for (std::int64_t i = begin; i < end; ++i) out[i] = value(i);
    } else {
      for (std::int64_t i = begin; i < end; ++i) store(i, value(i));
    }
  });
  if (to.n > 0) store(0, first);
  if (to.n > 1) store(1, second);
}

template <class T>
void write_integers(const Target& to, const unsigned char* first, const unsigned char* second) {
  T x0, x1;  // unsigned: the values wrap around as the signed ones do
  std::memcpy(&x0, first, sizeof(T));
  std::memcpy(&x1, second, sizeof(T));
  const std::uint64_t start = x0, delta = static_cast<std::uint64_t>(x1) - x0;
  write(to, x0, x1,
        [=](std::int64_t i) { return static_cast<T>(start + static_cast<std::uint64_t>(i) * delta); });
}

template <class T>
void write_floats(const Target& to, const unsigned char* first, const unsigned char* second) {
  T x0, x1;
  std::memcpy(&x0, first, sizeof(T));
  std::memcpy(&x1, second, sizeof(T));
  if constexpr (sizeof(T) == 2) {  // computed in float32
    const float start = kernels::widen(x0), delta = kernels::widen(x1) - start;
    write(to, x0, x1,
          [=](std::int64_t i) { return kernels::narrow<T>(start + static_cast<float>(i) * delta); });
  } else {
    const T delta = x1 - x0;
    write(to, x0, x1, [=](std::int64_t i) { return x0 + static_cast<T>(i) * delta; });
  }
}

void write_part(dtype type, const Target& to, const unsigned char* first, const unsigned char* second) {
  switch (type) {
    case dtype::bool_:
    case dtype::int8:
    case dtype::uint8: return write_integers<std::uint8_t>(to, first, second);
    case dtype::int16:
    case dtype::uint16: return write_integers<std::uint16_t>(to, first, second);
    case dtype::int32:
    case dtype::uint32: return write_integers<std::uint32_t>(to, first, second);
    case dtype::int64:
    case dtype::uint64: return write_integers<std::uint64_t>(to, first, second);
    case dtype::float16: return write_floats<kernels::float16>(to, first, second);
    case dtype::bfloat16: return write_floats<kernels::bfloat16>(to, first, second);
    case dtype::float32: return write_floats<float>(to, first, second);
    default: return write_floats<double>(to, first, second);
  }
}

}  // namespace

void arange(const View& out, const Scalar& start, const Scalar& step) {
  const Scalar first = cast(start, out.type), second = cast(second_value(start, step), out.type);
  const dtype part = real_type(out.type);
  for (std::size_t offset = 0; offset < itemsize(out.type);
       offset += itemsize(part)) {  // real, then imaginary part
    write_part(part, {out.data + offset, out.strides[0], out.shape[0]}, first.bytes + offset,
               second.bytes + offset);
  }
}

void call(const Arange& p, Operands, const View& out) { arange(out, p.start, p.step); }

}  // namespace cuprum::cpu
