// Several searches take each step together, without a branch: their reads are independent of each other, so that the
// processor has many of them in flight (1e6 searches in 1e6 float32: 370 ns each one by one in NumPy, under 60 here).
#include "backend/cpu/simd/search.h"

#include "backend/cpu/simd/elements.h"
#include "kernels/order.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace {

constexpr int kTogether = 32;

/// Does the answer lie behind an element? For a value that is no NaN, `<` and `<=` say so whether the element is one or not.
template <class T, bool kRight>
CUPRUM_FN bool goes_on(T element, T value) {
  if constexpr (kernels::complex_number<T>) {
    return kRight ? !kernels::sorts_before(value, element) : kernels::sorts_before(element, value);
  } else {
    return kRight ? kernels::less_equal(element, value) : kernels::less(element, value);
  }
}

template <class T>
struct Row {
  const Stored<T>* data;
  CUPRUM_FN T operator[](int64_t i) const { return load<T>(data, i); }
};

/// The answer for a NaN: before the NaN of the row, or behind them.
template <class T>
int64_t nan_place(Row<T> row, int64_t n, bool right) {
  if (right) return n;
  int64_t first = 0;
  while (n > 0) {
    const int64_t half = n / 2;
    const bool number = !kernels::isnan(row[first + half]);
    first += number ? half + 1 : 0;
    n = number ? n - half - 1 : half;
  }
  return first;
}

/// Place: what counts the elements of the row; as wide as they are, so that both fit the same vector lanes.
template <class T, bool kRight, class Place>
void search(const void* row_data, int64_t n, const void* values, int count, int64_t* out) {
  const Row<T> row{static_cast<const Stored<T>*>(row_data)};
  for (int begin = 0; begin < count; begin += kTogether) {
    const int m = count - begin < kTogether ? count - begin : kTogether;
    T value[kTogether];
    Place at[kTogether] = {};
    for (int q = 0; q < kTogether; ++q) value[q] = load<T>(values, begin + (q < m ? q : 0));
    for (Place left = static_cast<Place>(n); left > 1;) {
      const Place half = left / 2;
#pragma GCC unroll 8
      for (int q = 0; q < kTogether; ++q) {
        const bool on = goes_on<T, kRight>(row[at[q] + half - 1], value[q]);
        at[q] += half & -static_cast<Place>(on);
      }
      left -= half;
    }
    for (int q = 0; q < m; ++q) {
      out[begin + q] = at[q] + goes_on<T, kRight>(row[at[q]], value[q]);
      if (!kernels::complex_number<T> && kernels::isnan(value[q])) out[begin + q] = nan_place(row, n, kRight);
    }
  }
}

template <class T, bool kRight>
void search_side(const void* row, int64_t n, const void* values, int count, int64_t* out) {
  if constexpr (sizeof(T) == 4) {
    if (n < int64_t{1} << 31) return search<T, kRight, uint32_t>(row, n, values, count, out);
  }
  search<T, kRight, int64_t>(row, n, values, count, out);
}

template <class T>
void search_in(const void* row, int64_t n, const void* values, int count, bool right, int64_t* out) {
  if (n == 0) {
    for (int q = 0; q < count; ++q) out[q] = 0;
  } else if (right) {
    search_side<T, true>(row, n, values, count, out);
  } else {
    search_side<T, false>(row, n, values, count, out);
  }
}

template <class T>
void find_in(const void* row_data, int64_t n, const void* values, int count, uint8_t* out) {
  const Row<T> row{static_cast<const Stored<T>*>(row_data)};
  int64_t places[kSearchBlock];
  search_in<T>(row_data, n, values, count, false, places);
  for (int q = 0; q < count; ++q) {
    const bool within = places[q] < n;
    out[q] = within && kernels::equal(row[within ? places[q] : 0], load<T>(values, q));
  }
}

template <class T>
void find_intervals_in(const void* row_data, int64_t n, const void* values, int count, int64_t* out) {
  const T last = Row<T>{static_cast<const Stored<T>*>(row_data)}[n - 1];
  search_in<T>(row_data, n, values, count, true, out);
  for (int q = 0; q < count; ++q) {
    out[q] -= (out[q] == n) & !kernels::sorts_before(last, load<T>(values, q));
  }
}

}  // namespace

void search_values(dtype type, const void* row, int64_t n, const void* values, int count, bool right,
                   int64_t* out) {
  kernels::with_element(type,
                        [&](auto zero) { search_in<decltype(zero)>(row, n, values, count, right, out); });
}

void find_values(dtype type, const void* row, int64_t n, const void* values, int count, uint8_t* out) {
  kernels::with_element(type, [&](auto zero) { find_in<decltype(zero)>(row, n, values, count, out); });
}

void find_intervals(dtype type, const void* row, int64_t n, const void* values, int count, int64_t* out) {
  kernels::with_element(type,
                        [&](auto zero) { find_intervals_in<decltype(zero)>(row, n, values, count, out); });
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
