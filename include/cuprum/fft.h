// Discrete Fourier transforms, with numpy.fft's names and meanings.
//
// Transforms are recorded and run when their values are needed. float32 and complex64 stay single precision. Lengths are those of
// the transform: what is transformed is cropped to them, or padded with zeros.
#pragma once

#include <cstdint>
#include <optional>

#include "cuprum/array.h"

namespace cuprum::fft {

/// Which direction carries the factor 1 / n; `ortho`: both carry its root.
enum class norm : std::uint8_t { backward, ortho, forward };

/// A length of a transform; none: all that the array has.
using length_type = std::optional<std::int64_t>;

/// Along one axis, complex points from complex or real ones.
array fft(const array& a, length_type n = {}, std::int64_t axis = -1, norm by = norm::backward);
array ifft(const array& a, length_type n = {}, std::int64_t axis = -1, norm by = norm::backward);
/// Real numbers to the first n / 2 + 1 points, the others being their conjugates: half the work.
array rfft(const array& a, length_type n = {}, std::int64_t axis = -1, norm by = norm::backward);
/// The way back: `n` real numbers, by default 2 * (points - 1).
array irfft(const array& a, length_type n = {}, std::int64_t axis = -1, norm by = norm::backward);
/// The real spectrum of a signal with Hermitian symmetry, of which the first half is given; and the way back.
array hfft(const array& a, length_type n = {}, std::int64_t axis = -1, norm by = norm::backward);
array ihfft(const array& a, length_type n = {}, std::int64_t axis = -1, norm by = norm::backward);

/// Along several axes, the last of them first; no lengths: all that the array has; no axes: all, or as many of the last as there
/// are lengths.
array fftn(const array& a, const shape_type& lengths = {}, const axes_type& axes = {},
           norm by = norm::backward);
array ifftn(const array& a, const shape_type& lengths = {}, const axes_type& axes = {},
            norm by = norm::backward);
array rfftn(const array& a, const shape_type& lengths = {}, const axes_type& axes = {},
            norm by = norm::backward);
array irfftn(const array& a, const shape_type& lengths = {}, const axes_type& axes = {},
             norm by = norm::backward);
/// Along two axes, by default the last.
array fft2(const array& a, const shape_type& lengths = {}, const axes_type& axes = {-2, -1},
           norm by = norm::backward);
array ifft2(const array& a, const shape_type& lengths = {}, const axes_type& axes = {-2, -1},
            norm by = norm::backward);
array rfft2(const array& a, const shape_type& lengths = {}, const axes_type& axes = {-2, -1},
            norm by = norm::backward);
array irfft2(const array& a, const shape_type& lengths = {}, const axes_type& axes = {-2, -1},
             norm by = norm::backward);

/// The frequencies of the points of fft and of rfft, in cycles per unit of the spacing `d`.
array fftfreq(std::int64_t n, double d = 1.0);
array rfftfreq(std::int64_t n, double d = 1.0);
/// The zero frequency moved to the middle, and back; no axes: all.
array fftshift(const array& a, const axes_type& axes = {});
array ifftshift(const array& a, const axes_type& axes = {});

}  // namespace cuprum::fft
