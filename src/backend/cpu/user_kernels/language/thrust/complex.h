// thrust::complex: that of the C++ library.
#pragma once

#include <complex>

#include "kernels/user/parameters.h"

namespace thrust {
using namespace std::complex_literals;
using std::abs, std::acos, std::acosh, std::arg, std::asin, std::asinh, std::atan, std::atanh, std::complex,
    std::conj;
using std::cos, std::cosh, std::exp, std::imag, std::log, std::log10, std::norm, std::polar, std::pow,
    std::proj;
using std::real, std::sin, std::sinh, std::sqrt, std::tan, std::tanh;
}  // namespace thrust

template <>
inline constexpr signed char cuprum_language::number_type<std::complex<float>> = 13;
template <>
inline constexpr signed char cuprum_language::number_type<std::complex<double>> = 14;
