// CuPy's header: complex<T> without a namespace.
#pragma once

#include "thrust/complex.h"

using std::complex, std::conj, std::imag, std::real, std::arg, std::norm, std::polar, std::proj;
