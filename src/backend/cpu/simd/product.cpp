// A block of the result is kept as accumulators while k runs in steps of kDepth. Of each step, the rows of
// `b` are packed (converted, contiguous: vectors run along them), then four rows of `a` at a time; the
// innermost loop multiplies four numbers of `a` with two vectors of `b`.
#include "backend/cpu/simd/product.h"

#include "backend/cpu/simd/elements.h"
#include "kernels/arithmetic.h"
#include "kernels/complex.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace {

constexpr int kDepth = 512, kTall = 4, kWideBytes = 128;

/// What products of T add up in. Small integers wrap in 32 bits: the lower bits are those of a narrower sum.
template <class T>
struct AccumulatorOf {
  using type = T;
};
template <kernels::integer T>
struct AccumulatorOf<T> {
  using type = kernels::wrapping<T>;
};
template <>
struct AccumulatorOf<bool> {
  using type = kernels::uint32;
};
template <kernels::small_float T>
struct AccumulatorOf<T> {
  using type = float;
};
template <class T>
using Accumulator = typename AccumulatorOf<T>::type;

template <class T>
inline constexpr int kWide = kWideBytes / sizeof(Accumulator<T>);

template <class T>
Accumulator<T> fetch(const unsigned char* p) {
  Stored<T> stored;
  __builtin_memcpy(&stored, p, sizeof(stored));
  const T value = load<T>(&stored, 0);
  if constexpr (kernels::small_float<T>) {
    return kernels::widen(value);
  } else if constexpr (kernels::complex_number<T>) {
    return value;
  } else {
    return static_cast<Accumulator<T>>(value);
  }
}

template <class T>
void put(unsigned char* p, Accumulator<T> sum) {
  Stored<T> stored;
  if constexpr (kernels::small_float<T>) {
    stored = kernels::narrow<T>(sum);
  } else {
    stored = static_cast<Stored<T>>(sum);
  }
  __builtin_memcpy(p, &stored, sizeof(stored));
}

template <class T, class A>
CUPRUM_FN A multiply_add(A sum, A a, A b) {
  if constexpr (kernels::boolean<T>) {
    return sum | (a & b);
  } else if constexpr (kernels::complex_number<T>) {
    return kernels::add(sum, kernels::multiply(a, b));
  } else {
    return sum + a * b;
  }
}

/// sums[r][j] += a[k][r] * b[k][j], k in order.
template <class T>
void multiply_panel(const Accumulator<T>* a, const Accumulator<T>* b, int depth, Accumulator<T>* sums) {
  using A = Accumulator<T>;
  A acc[kTall][kWide<T>];
  for (int r = 0; r < kTall; ++r) {
    for (int j = 0; j < kWide<T>; ++j) acc[r][j] = sums[r * kWide<T> + j];
  }
  for (int k = 0; k < depth; ++k, a += kTall, b += kWide<T>) {
#pragma GCC unroll 4
    for (int r = 0; r < kTall; ++r) {
      for (int j = 0; j < kWide<T>; ++j) acc[r][j] = multiply_add<T>(acc[r][j], a[r], b[j]);
    }
  }
  for (int r = 0; r < kTall; ++r) {
    for (int j = 0; j < kWide<T>; ++j) sums[r * kWide<T> + j] = acc[r][j];
  }
}

template <class T>
void block(int64_t m, int64_t n, int64_t k, MatrixRef a, MatrixRef b, MatrixRef out, unsigned char* scratch) {
  using A = Accumulator<T>;
  A* const sums = reinterpret_cast<A*>(scratch);      // kProductRows x kWide
  A* const b_panel = sums + kProductRows * kWide<T>;  // kDepth x kWide
  A* const a_panel = b_panel + kDepth * kWide<T>;     // kDepth x kTall
  static_assert((kProductRows + kDepth) * kWideBytes + kDepth * kTall * 16 <= kProductScratch);
  for (int64_t i = 0; i < (m + kTall - 1) / kTall * kTall * kWide<T>; ++i) sums[i] = A{};
  for (int64_t first = 0; first < k; first += kDepth) {
    const int depth = static_cast<int>(k - first < kDepth ? k - first : kDepth);
    for (int i = 0; i < depth; ++i) {
      for (int64_t j = 0; j < n; ++j)
        b_panel[i * kWide<T> + j] = fetch<T>(b.data + (first + i) * b.row + j * b.col);
      for (int64_t j = n; j < kWide<T>; ++j) b_panel[i * kWide<T> + j] = A{};
    }
    for (int64_t top = 0; top < m; top += kTall) {
      const int tall = static_cast<int>(m - top < kTall ? m - top : kTall);
      for (int r = 0; r < tall; ++r) {
        const unsigned char* row = a.data + (top + r) * a.row + first * a.col;
        for (int i = 0; i < depth; ++i) a_panel[i * kTall + r] = fetch<T>(row + i * a.col);
      }
      for (int r = tall; r < kTall; ++r) {
        for (int i = 0; i < depth; ++i) a_panel[i * kTall + r] = A{};
      }
      multiply_panel<T>(a_panel, b_panel, depth, sums + top * kWide<T>);
    }
  }
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) put<T>(out.data + i * out.row + j * out.col, sums[i * kWide<T> + j]);
  }
}

template <class T>
void small(int64_t m, int64_t n, int64_t k, MatrixRef a, MatrixRef b, MatrixRef out) {
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      Accumulator<T> sum{};
      for (int64_t l = 0; l < k; ++l) {
        sum = multiply_add<T>(sum, fetch<T>(a.data + i * a.row + l * a.col),
                              fetch<T>(b.data + l * b.row + j * b.col));
      }
      put<T>(out.data + i * out.row + j * out.col, sum);
    }
  }
}

/// Calls f with a value of the kernel type; integers of one size share code, their products have the same
/// bits.
template <class F>
auto with_type(dtype type, F&& f) {
  switch (type) {
    case dtype::bool_: return f(bool());
    case dtype::int8:
    case dtype::uint8: return f(kernels::uint8());
    case dtype::int16:
    case dtype::uint16: return f(kernels::uint16());
    case dtype::int32:
    case dtype::uint32: return f(kernels::uint32());
    case dtype::int64:
    case dtype::uint64: return f(kernels::uint64());
    case dtype::float16: return f(kernels::float16());
    case dtype::bfloat16: return f(kernels::bfloat16());
    case dtype::float32: return f(float());
    case dtype::float64: return f(double());
    case dtype::complex64: return f(kernels::complex64());
    default: return f(kernels::complex128());
  }
}

}  // namespace

int product_columns(dtype type) {
  return with_type(type, [](auto x) { return kWide<decltype(x)>; });
}

void product_block(dtype type, int64_t m, int64_t n, int64_t k, MatrixRef a, MatrixRef b, MatrixRef out,
                   unsigned char* scratch) {
  with_type(type, [&](auto x) { block<decltype(x)>(m, n, k, a, b, out, scratch); });
}

void product_small(dtype type, int64_t m, int64_t n, int64_t k, MatrixRef a, MatrixRef b, MatrixRef out) {
  with_type(type, [&](auto x) { small<decltype(x)>(m, n, k, a, b, out); });
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
