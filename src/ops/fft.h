// Discrete Fourier transforms with numpy.fft's rules: lengths, axes, norms, dtypes and layouts.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "expr/array.h"
#include "runtime/primitives_fft.h"

namespace cuprum::ops {

/// Which direction carries the factor 1 / n; `ortho`: both carry its root.
enum class FftNorm : std::uint8_t { backward, ortho, forward };
FftNorm parse_fft_norm(const char* function, const std::string& text);

/// A length that is not given: all that `a` has, or, for reals, the even number that its points are of.
inline constexpr std::int64_t kDefaultLength = std::numeric_limits<std::int64_t>::min();

/// One of numpy.fft's functions.
struct FftFunction {
  const char* name;  // "fft.irfft2", for messages
  Fft::Kind kind;
  bool backward;
};

/// Along one axis, `n` points; recorded. Written to `out` if there is one.
Array fft(const FftFunction& f, const Array& a, std::int64_t n, std::int64_t axis, FftNorm norm,
          const Array* out = nullptr);
/// Along several: all, or the last ones where only lengths are given. A length of -1: all that `a` has.
Array fftn(const FftFunction& f, const Array& a, const std::optional<Dims>& lengths,
           const std::optional<Dims>& axes, FftNorm norm, const Array* out = nullptr);

/// The frequencies of the points: 0, 1, ..., -2, -1 times `step`; of reals: 0, 1, ..., n / 2.
Array fftfreq(std::int64_t n, double step, Backend& backend);
Array rfftfreq(std::int64_t n, double step, Backend& backend);
/// The first point moved to the middle of each axis, and back.
Array fftshift(const char* function, const Array& a, const std::optional<Dims>& axes, bool inverse);

/// What the first call of the primitive needs for this transform, made beforehand. `axes` are distinct.
std::shared_ptr<const FftPlan> fft_plan(const FftFunction& f, const Array& a, const Dims& lengths,
                                        const Dims& axes);

/// What the calls of a thread must be (CuPy's plans as context managers), else ValueError.
struct FftExpectation {
  std::shared_ptr<const FftPlan> plan;  // its kind, precision and lengths
  std::int64_t batch;                   // lines, of a transform along one axis; -1: any
};
/// From now on, in this thread; null: anything goes. Returns what was expected before.
std::shared_ptr<const FftExpectation> expect_fft(std::shared_ptr<const FftExpectation> expected);

}  // namespace cuprum::ops
