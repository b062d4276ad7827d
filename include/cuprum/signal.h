// Signals: convolution, windows, and functions that go with them.
#pragma once

#include <string>

#include "cuprum/array.h"

namespace cuprum {

/// The discrete convolution of two vectors: "full", "same" (as long as the longer one) or "valid" (where they overlap completely).
array convolve(const array& a, const array& v, const std::string& mode = "full");
/// The cross-correlation of two vectors, the second one conjugated.
array correlate(const array& a, const array& v, const std::string& mode = "valid");

/// The Bartlett window of m points: a triangle whose ends are zero.
array bartlett(std::int64_t m);
/// The Blackman window of m points: three terms of a sum of cosines, nearly zero at the ends.
array blackman(std::int64_t m);
/// The Hamming window of m points: a raised cosine that does not reach zero at the ends.
array hamming(std::int64_t m);
/// The Hann window of m points: a raised cosine that reaches zero at the ends.
array hanning(std::int64_t m);
/// The Kaiser window of m points; `beta` trades the width of the main lobe for the height of the others.
array kaiser(std::int64_t m, double beta);

/// The modified Bessel function of the first kind, of order 0.
array i0(const array& x);
/// sin(pi x) / (pi x), which is 1 at 0.
array sinc(const array& x);
/// The angle of complex numbers in radians, or degrees.
array angle(const array& z, bool deg = false);

}  // namespace cuprum
