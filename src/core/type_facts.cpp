#include "core/type_facts.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/promotion.h"
#include "cuprum/error.h"

namespace cuprum {

namespace {

struct Format {
  int bits, nmant, max_exponent;  // the largest number is just below two to the power of max_exponent
};

Format format_of(dtype t) {
  switch (real_type(t)) {
    case dtype::float16: return {16, 10, 16};
    case dtype::bfloat16: return {16, 7, 128};
    case dtype::float32: return {32, 23, 128};
    case dtype::float64: return {64, 52, 1024};
    default: throw ValueError(std::string("cuprum.finfo: data type ") + name(t) + " not inexact");
  }
}

bool holds(dtype t, double v) { return !std::isfinite(v) || std::abs(v) <= float_facts(t).max; }

}  // namespace

FloatFacts float_facts(dtype t) {
  const Format f = format_of(t);
  FloatFacts facts{};
  facts.bits = f.bits;
  facts.nmant = f.nmant;
  facts.precision = static_cast<int>(f.nmant * std::log10(2.0));
  facts.eps = std::ldexp(1.0, -f.nmant);
  facts.epsneg = std::ldexp(1.0, -f.nmant - 1);
  facts.max = std::ldexp(2.0 - facts.eps, f.max_exponent - 1);
  facts.tiny = std::ldexp(1.0, 2 - f.max_exponent);
  facts.smallest_subnormal = std::ldexp(1.0, 2 - f.max_exponent - f.nmant);
  facts.resolution = std::pow(10.0, -facts.precision);
  return facts;
}

dtype common_type(std::span<const dtype> types) {
  dtype common = dtype::float16;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (is_bool(types[i])) throw TypeError("cuprum.common_type: can't get common type for non-numeric array");
    const dtype inexact = is_integer(types[i]) ? dtype::float64 : types[i];
    common = i == 0 ? inexact : promote_types(common, inexact);
  }
  return common;
}

dtype smallest_type(std::uint64_t v) {
  for (const dtype t : {dtype::uint8, dtype::uint16, dtype::uint32}) {
    if (v <= integer_range(t).max) return t;
  }
  return dtype::uint64;
}

dtype smallest_type(std::int64_t v) {
  if (v >= 0) return smallest_type(static_cast<std::uint64_t>(v));
  for (const dtype t : {dtype::int8, dtype::int16, dtype::int32}) {
    if (v >= integer_range(t).min) return t;
  }
  return dtype::int64;
}

dtype smallest_type(double v) {
  if (holds(dtype::float16, v)) return dtype::float16;
  return holds(dtype::float32, v) ? dtype::float32 : dtype::float64;
}

dtype smallest_type(std::complex<double> v) {
  const bool is_small = holds(dtype::float32, v.real()) && holds(dtype::float32, v.imag());
  return is_small ? dtype::complex64 : dtype::complex128;
}

}  // namespace cuprum
