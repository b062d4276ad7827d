// The arithmetic of Fourier transforms over rows of complex numbers, contiguous, real and imaginary parts in turn.
//
// A *line* is a transform of a whole vector register: every lane holds the points of a transform of its own, so that butterflies
// need no shuffles. Which lanes those are depends on the length alone, and no lane knows its neighbours, so a result has the same
// bits in any company and at any instruction-set level:
//   - short or awkward lengths: the lanes are rows (`fft_rows`), or there is one lane;
//   - n = n1 * n2: the lanes are the columns, then the rows, of an n1 x n2 matrix (`fft_columns`, `fft_columns_end`).
// All transforms are forward; a backward one swaps real and imaginary parts as it reads and as it writes.
#pragma once

#include <stdint.h>

#include "backend/cpu/dispatch.h"

namespace cuprum {

/// One pass of Stockham's algorithm: `butterflies` of `radix` points, `stride` of them with the same roots of unity.
struct FftPass {
  int64_t radix;
  int64_t stride;
  int64_t butterflies;
  const void* twiddles;  // radix - 1 complex numbers for each of the butterflies
  const void* roots;     // cosines, then sines, of a radix that has no code of its own; else null
};

inline constexpr int kFftMostPasses = 64;

struct FftLine {
  int64_t n;
  int passes;
  FftPass pass[kFftMostPasses];
};

/// n = n1 * n2: transforms of n1 points along the columns, times roots of unity, transforms of n2 points along the rows.
struct FftSplit {
  FftLine columns;  // n1
  FftLine rows;     // n2
  // The roots of order n with exponents k1 * j2. Those of 16 neighbours j2 lie together, all real parts before all imaginary
  // ones: near[j2 / 16][k1][2][j2 % 16]. A long transform has but the first sixteen of them, to be multiplied by
  // far[j2 / 16][k1]: a sixteenth of the memory.
  const void* near;
  const void* far;  // null: `near` has all
  int lanes;        // of the registers: those of fft_lanes, or half of them where the matrix is narrow
};
inline constexpr int kFftNear = 16;

/// The longest radix: longer primes are transformed by convolution. What a line needs for one beside its two buffers.
inline constexpr int kFftMostRadix = 97;
inline constexpr int kFftSpare = kFftMostRadix + 8;

/// Rows of points: `backward` as above, results times `scale`.
struct FftJob {
  const void* in;
  void* out;
  int64_t in_step, out_step;  // numbers (not pairs) between rows
  int64_t count;              // rows
  double scale;
  bool backward;
  bool reals = false;  // `in` has numbers, not pairs: the imaginary parts are zero
};

// clang-format off
/// The lanes of a register, for parts of float64 (`wide`) or float32.
CUPRUM_DECLARE_FOR_LEVELS(int fft_lanes(bool wide))
/// Transforms of rows by `line`; `work` holds (2 n + kFftSpare) * lanes complex numbers. Rows may be transformed in place.
CUPRUM_DECLARE_FOR_LEVELS(void fft_rows(bool wide, const FftLine& line, const FftJob& job, void* work))
/// The first step for one row: the blocks [begin, end) of `lanes` columns. `between` has n2 complex numbers for each of n1
/// rounded up to whole registers.
CUPRUM_DECLARE_FOR_LEVELS(void fft_columns(bool wide, const FftSplit& split, const FftJob& job, int64_t begin, int64_t end, void* between, void* work))
/// The second step: the blocks [begin, end) of `lanes` rows.
CUPRUM_DECLARE_FOR_LEVELS(void fft_columns_end(bool wide, const FftSplit& split, const FftJob& job, int64_t begin, int64_t end, void* between, void* work))

/// out[k] = a[k] * b[k], complex; `backward`: a's parts are swapped as they are read; `swapped`: the result's as they are written.
CUPRUM_DECLARE_FOR_LEVELS(void fft_multiply(bool wide, int64_t n, const void* a, const void* b, void* out, bool backward, bool swapped, double scale))
/// From the transform z of n pairs of reals to the first n + 1 points of that of 2 n reals, for the pairs (k, n - k) with k in
/// [begin, end), 0 <= begin, end <= n / 2 + 1; in place, or from z to out. `roots`: those of order 2 n, n / 2 + 1 of them.
/// `conjugate`: the conjugates of these points.
CUPRUM_DECLARE_FOR_LEVELS(void fft_unzip(bool wide, int64_t n, const void* z, void* out, const void* roots, int64_t begin, int64_t end, double scale, bool conjugate))
/// The way back: from the first n + 1 points to those whose backward transform is n pairs of reals, not scaled.
CUPRUM_DECLARE_FOR_LEVELS(void fft_zip(bool wide, int64_t n, const void* x, void* z, const void* roots, int64_t begin, int64_t end, bool conjugate))
// clang-format on

}  // namespace cuprum
