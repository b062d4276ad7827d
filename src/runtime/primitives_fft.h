// Discrete Fourier transforms.
#pragma once

#include <cstdint>
#include <memory>

#include "core/dims.h"

namespace cuprum {

class FftPlan;  // runtime/fft_plans.h

/// in: a. The transform along `axes` (distinct), the last of them first, times `scale`. Along axes[i] it has lengths[i] points: `a` is
/// cropped to them, or padded with zeros.
///   points     complex from complex or real: as many points out as in
///   from_real  complex from real: of the last axis the first n / 2 + 1 points, the others being their conjugates
///   to_real    real from complex: of the last axis the first n / 2 + 1 points are read, the others are taken to be their conjugates
/// One precision, float32 or float64, for both sides; any strides. `backward` has the exponent's sign +.
/// `plan`: that of the device for this call; null: a form gets it itself.
struct Fft {
  enum class Kind : std::uint8_t { points, from_real, to_real };
  Kind kind;
  bool backward;
  Dims axes;
  Dims lengths;
  double scale;
  std::shared_ptr<const FftPlan> plan = nullptr;
};

}  // namespace cuprum
