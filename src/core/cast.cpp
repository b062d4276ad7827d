#include "core/cast.h"

#include "kernels/cast.h"

namespace cuprum {

namespace {

// Calls f with a value of the C++ type that stands for `t` in src/kernels.
template <class F>
Scalar with_type(dtype t, F f) {
  namespace k = kernels;
  switch (t) {
    case dtype::bool_: return f(bool());
    case dtype::int8: return f(k::int8());
    case dtype::int16: return f(k::int16());
    case dtype::int32: return f(k::int32());
    case dtype::int64: return f(k::int64());
    case dtype::uint8: return f(k::uint8());
    case dtype::uint16: return f(k::uint16());
    case dtype::uint32: return f(k::uint32());
    case dtype::uint64: return f(k::uint64());
    case dtype::float16: return f(k::float16());
    case dtype::bfloat16: return f(k::bfloat16());
    case dtype::float32: return f(float());
    case dtype::float64: return f(double());
    case dtype::complex64: return f(k::complex<float>());
    case dtype::complex128: return f(k::complex<double>());
  }
  return Scalar();
}

}  // namespace

Scalar cast_scalar(const Scalar& value, dtype type) {
  if (value.type == type) return value;
  return with_type(value.type, [&](auto from) {
    using From = decltype(from);
    return with_type(type, [&](auto to) {
      using To = decltype(to);
      return Scalar::of<To>(type, kernels::cast<To>(value.as<From>()));
    });
  });
}

}  // namespace cuprum
