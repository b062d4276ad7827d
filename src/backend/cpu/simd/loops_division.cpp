// floor_divide, remainder and fmod of float32 and float64 in vectors.
//
// fmod is exact, so any way to compute it gives the same bits. The quotient a / b is rounded, truncated and multiplied
// back; for float32 in double, where everything is exact up to 2^28, for float64 with a fused multiply-add and a
// correction by one. Elements with a larger quotient or without one (b = 0, infinities, NaN) go to the scalar
// function one by one. 1 ns per element instead of the C library's 16.
#include "backend/cpu/simd/loop_of.h"
#include "kernels/division.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace {

/// fmod(a, b), or NaN where this way does not lead to it.
CUPRUM_FN float fast_fmod(float a, float b) {
  const double x = a, y = b;
  const double quotient = kernels::math::trunc(x / y);
  const float rest = static_cast<float>(x - quotient * y);
  const bool exact = kernels::math::fabs(quotient) < 0x1p28;
  return exact ? kernels::math::copysign(rest, a) : kernels::quiet_nan<float>();
}

CUPRUM_FN double fast_fmod(double a, double b) {
#if defined(__FMA__)
  const double x = kernels::math::fabs(a), y = kernels::math::fabs(b);
  const double quotient = kernels::math::trunc(x / y);
  const double rest = __builtin_fma(-quotient, y, x);
  const double corrected = rest + (rest < 0 ? y : 0.0);
  return quotient < 0x1p52 ? kernels::math::copysign(corrected, a) : kernels::quiet_nan<double>();
#else
  return kernels::math::fmod(a, b);
#endif
}

/// `finish(a, fmod(a, b), b)` is the operation.
template <class T, class Finish>
void division_loop(int64 n, void* dst, const void* a, const void* b, const void*) {
  alignas(64) T rest[kChunk];
  for (int64 done = 0; done < n; done += kChunk) {
    const int64 m = n - done < kChunk ? n - done : kChunk;
    const T *x = static_cast<const T*>(a) + done, *y = static_cast<const T*>(b) + done;
    T* out = static_cast<T*>(dst) + done;
    kernels::bits_of<T> missing = 0;
    CUPRUM_VECTORIZE
    for (int64 i = 0; i < m; ++i) {
      rest[i] = fast_fmod(x[i], y[i]);
      missing |= rest[i] != rest[i] ? 1 : 0;
    }
    if (missing) {
      for (int64 i = 0; i < m; ++i) {
        if (rest[i] != rest[i]) rest[i] = kernels::math::fmod(x[i], y[i]);
      }
    }
    CUPRUM_VECTORIZE
    for (int64 i = 0; i < m; ++i) out[i] = Finish()(x[i], rest[i], y[i]);
  }
}

template <Op op, class Finish>
void use_division(LoopTable& table, Finish) {
  LoopFn* row = table.loop[static_cast<int>(op)];
  constexpr LoopFn of_float = &division_loop<float, Finish>;
  row[static_cast<int>(dtype::float32)] = of_float;
  row[static_cast<int>(dtype::float64)] = &division_loop<double, Finish>;
  row[static_cast<int>(dtype::float16)] = &via_float<of_float, op, dtype::float16>;
  row[static_cast<int>(dtype::bfloat16)] = &via_float<of_float, op, dtype::bfloat16>;
}

}  // namespace

void use_vector_division(LoopTable& table) {
  use_division<Op::fmod>(table, [](auto, auto rest, auto) { return rest; });
  use_division<Op::remainder>(table,
                              [](auto, auto rest, auto b) { return kernels::remainder_of_fmod(rest, b); });
  use_division<Op::floor_divide>(
      table, [](auto a, auto rest, auto b) { return kernels::floor_divide_of_fmod(a, rest, b); });
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
