// What numbers a dtype holds, and which dtype holds a number.
#pragma once

#include <complex>
#include <cstdint>
#include <span>

#include "cuprum/dtype.h"

namespace cuprum {

/// A binary floating-point format, as numpy.finfo describes it; of a complex dtype that of its parts.
struct FloatFacts {
  int bits, nmant, precision;
  double eps, epsneg, max, tiny, smallest_subnormal, resolution;
};
/// Throws ValueError with NumPy's text for dtypes that are not inexact.
FloatFacts float_facts(dtype t);

/// The inexact dtype that all have in common, integers counting as float64: numpy.common_type. Throws TypeError for bool.
dtype common_type(std::span<const dtype> types);

/// The smallest dtype that holds a value: numpy.min_scalar_type. Of floating-point values only the range counts.
dtype smallest_type(std::int64_t v);
dtype smallest_type(std::uint64_t v);
dtype smallest_type(double v);
dtype smallest_type(std::complex<double> v);

}  // namespace cuprum
