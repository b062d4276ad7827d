// Windows for signals, of m points (float64), and the modified Bessel function that one of them needs.
#pragma once

#include "expr/array.h"

namespace cuprum::ops {

Array bartlett(double m, Backend& backend);  // a triangle whose ends are zero
Array blackman(double m, Backend& backend);  // three terms of a sum of cosines
Array hamming(double m, Backend& backend);   // a raised cosine that does not reach zero
Array hanning(double m, Backend& backend);   // a raised cosine
/// `beta` trades the width of the main lobe for the height of the others.
Array kaiser(double m, double beta, Backend& backend);

/// The modified Bessel function of the first kind, of order 0.
Array i0(const Array& x);

}  // namespace cuprum::ops
