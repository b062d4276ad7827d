// cuprum/signal.h
#include "examples.h"

TEST(Examples, signal) {
  // convolve
  {
    const cp::array a{1, 2, 3}, v{0, 1, 2};
    shows(cp::convolve(a, v), "[0 1 4 7 6]");
    shows(cp::convolve(a, v, "same"), "[1 4 7]");
  }
  // correlate
  shows(cp::correlate(cp::array{1, 2, 3}, cp::array{0, 1, 2}, "full"), "[2 5 8 3 0]");
  // bartlett
  shows(cp::bartlett(5), "[0.  0.5 1.  0.5 0. ]");
  // blackman
  shows(cp::round(cp::blackman(4), 4), "[-0.    0.63  0.63 -0.  ]");
  // hamming
  shows(cp::round(cp::hamming(5), 4), "[0.08 0.54 1.   0.54 0.08]");
  // hanning
  shows(cp::round(cp::hanning(5), 4), "[0.  0.5 1.  0.5 0. ]");
  // kaiser
  shows(cp::round(cp::kaiser(5, 14.0), 6), "[8.00000e-06 1.64932e-01 1.00000e+00 1.64932e-01 8.00000e-06]");
  // i0
  shows(cp::i0(cp::array{0.0, 1.0}), "[1.         1.26606588]");
  // sinc
  shows(cp::sinc(cp::array{0.0, 0.5}), "[1.         0.63661977]");
  // angle
  {
    const cp::array z{std::complex<double>(1, 0), std::complex<double>(0, 2)};
    shows(cp::angle(z), "[0.         1.57079633]");
    shows(cp::angle(z, true), "[ 0. 90.]");
  }
}
