// cuprum/fft.h
#include "examples.h"

TEST(Examples, fft) {
  // fft::fft
  {
    const cp::array a{1.0, 2.0, 3.0, 4.0};
    shows(cp::fft::fft(a), "[10.+0.j -2.+2.j -2.+0.j -2.-2.j]");
    shows(cp::fft::fft(a, 2), "[ 3.+0.j -1.+0.j]");
    shows(cp::fft::fft(a, {}, -1, cp::fft::norm::forward), "[ 2.5+0.j  -0.5+0.5j -0.5+0.j  -0.5-0.5j]");
  }
  // fft::ifft
  shows(cp::fft::ifft(cp::array{4.0, 0.0, 0.0, 0.0}), "[1.+0.j 1.+0.j 1.+0.j 1.+0.j]");
  // fft::rfft
  shows(cp::fft::rfft(cp::array{1.0, 2.0, 3.0, 4.0}), "[10.+0.j -2.+2.j -2.+0.j]");
  // fft::irfft
  shows(cp::fft::irfft(cp::array{4.0, 0.0, 0.0}), "[1. 1. 1. 1.]");
  // fft::hfft
  shows(cp::fft::hfft(cp::array{1.0, 2.0, 3.0}), "[ 8. -2.  0. -2.]");
  // fft::ihfft
  shows(cp::fft::ihfft(cp::array{4.0, 0.0, 0.0, 0.0}), "[1.-0.j 1.-0.j 1.-0.j]");
  // fft::fftn
  shows(cp::fft::fftn(cp::array{{1.0, 2.0}, {3.0, 4.0}}),
        "[[10.+0.j -2.+0.j]\n"
        " [-4.+0.j  0.+0.j]]");
  // fft::ifftn
  shows(cp::fft::ifftn(cp::array{{4.0, 0.0}, {0.0, 0.0}}),
        "[[1.+0.j 1.+0.j]\n"
        " [1.+0.j 1.+0.j]]");
  // fft::rfftn
  shows(cp::fft::rfftn(cp::ones({2, 4})).shape(), "{2, 3}");
  // fft::irfftn
  shows(cp::fft::irfftn(cp::array{{4.0, 0.0}, {0.0, 0.0}}),
        "[[1. 1.]\n"
        " [1. 1.]]");
  // fft::fft2
  shows(cp::fft::fft2(cp::array{{1.0, 2.0}, {3.0, 4.0}}),
        "[[10.+0.j -2.+0.j]\n"
        " [-4.+0.j  0.+0.j]]");
  // fft::ifft2
  shows(cp::fft::ifft2(cp::array{{4.0, 0.0}, {0.0, 0.0}}),
        "[[1.+0.j 1.+0.j]\n"
        " [1.+0.j 1.+0.j]]");
  // fft::rfft2
  shows(cp::fft::rfft2(cp::array{{1.0, 2.0}, {3.0, 4.0}}),
        "[[10.+0.j -2.+0.j]\n"
        " [-4.+0.j  0.+0.j]]");
  // fft::irfft2
  shows(cp::fft::irfft2(cp::array{{4.0, 0.0}, {0.0, 0.0}}),
        "[[1. 1.]\n"
        " [1. 1.]]");
  // fft::fftfreq
  shows(cp::fft::fftfreq(4, 0.1), "[ 0.   2.5 -5.  -2.5]");
  // fft::rfftfreq
  shows(cp::fft::rfftfreq(4, 0.1), "[0.  2.5 5. ]");
  // fft::fftshift
  shows(cp::fft::fftshift(cp::array{0, 1, 2, -2, -1}), "[-2 -1  0  1  2]");
  // fft::ifftshift
  shows(cp::fft::ifftshift(cp::array{-2, -1, 0, 1, 2}), "[ 0  1  2 -2 -1]");
}
