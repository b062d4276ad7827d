// Several searches take each step together, without a branch: their reads are independent of each other, so that the
// processor has many of them in flight (1e6 searches in 1e6 float32: 370 ns each one by one in NumPy, under 60 here).
// In a row with cells a search begins at the value's cell, and most steps are saved.
#include "backend/cpu/simd/search.h"

#include "backend/cpu/simd/elements.h"
#include "kernels/cast.h"
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

/// What cells are computed in: it rises with T, strictly or not.
template <class T>
using CellNumber = kernels::conditional<kernels::same<T, float>, float, double>;

template <class T>
struct CellsOf {
  using Number = CellNumber<T>;
  Number first, scale, last;

  explicit CellsOf(const Cells& c)
      : first(static_cast<Number>(c.first)),
        scale(static_cast<Number>(c.scale)),
        last(static_cast<Number>(c.count - 1)) {}

  CUPRUM_FN int32_t operator()(T value) const {
    Number at = (kernels::cast<Number>(value) - first) * scale;
    at = at > 0 ? at : 0;  // of a NaN too
    return static_cast<int32_t>(at < last ? at : last);
  }
};

/// Place: what counts the elements of the row; as wide as they are, so that both fit the same vector lanes.
template <class T, bool kRight, bool kCells, class Place>
void search(const SortedRow& sorted, const void* values, int count, int64_t* out) {
  const Row<T> row{static_cast<const Stored<T>*>(sorted.data)};
  const Place n = static_cast<Place>(kCells ? sorted.cells.most : sorted.n);
  const Place latest = static_cast<Place>(sorted.n) - n;  // where a search of n elements may begin
  for (int begin = 0; begin < count; begin += kTogether) {
    const int m = count - begin < kTogether ? count - begin : kTogether;
    T value[kTogether];
    Place at[kTogether] = {};
    for (int q = 0; q < kTogether; ++q) value[q] = load<T>(values, begin + (q < m ? q : 0));
    if constexpr (kCells) {
      const CellsOf<T> cell(sorted.cells);
      for (int q = 0; q < kTogether; ++q) {
        const auto before = static_cast<Place>(sorted.cells.before[cell(value[q])]);
        at[q] = before < latest ? before : latest;
      }
    }
    for (Place left = n; left > 1;) {
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
      if (!kernels::complex_number<T> && kernels::isnan(value[q]))
        out[begin + q] = nan_place(row, sorted.n, kRight);
    }
  }
}

template <class T, bool kRight, bool kCells>
void search_side(const SortedRow& row, const void* values, int count, int64_t* out) {
  if constexpr (sizeof(T) == 4) {
    if (row.n < int64_t{1} << 31) return search<T, kRight, kCells, uint32_t>(row, values, count, out);
  }
  search<T, kRight, kCells, int64_t>(row, values, count, out);
}

template <class T, bool kRight>
void search_from(const SortedRow& row, const void* values, int count, int64_t* out) {
  if constexpr (!kernels::complex_number<T>) {
    if (row.cells.count != 0) return search_side<T, kRight, true>(row, values, count, out);
  }
  search_side<T, kRight, false>(row, values, count, out);
}

template <class T>
void search_in(const SortedRow& row, const void* values, int count, bool right, int64_t* out) {
  if (row.n == 0) {
    for (int q = 0; q < count; ++q) out[q] = 0;
  } else if (right) {
    search_from<T, true>(row, values, count, out);
  } else {
    search_from<T, false>(row, values, count, out);
  }
}

template <class T>
void find_in(const SortedRow& sorted, const void* values, int count, uint8_t* out) {
  const Row<T> row{static_cast<const Stored<T>*>(sorted.data)};
  int64_t places[kSearchBlock];
  search_in<T>(sorted, values, count, false, places);
  for (int q = 0; q < count; ++q) {
    const bool within = places[q] < sorted.n;
    out[q] = within && kernels::equal(row[within ? places[q] : 0], load<T>(values, q));
  }
}

template <class T>
void find_intervals_in(const SortedRow& row, const void* values, int count, int64_t* out) {
  const T last = Row<T>{static_cast<const Stored<T>*>(row.data)}[row.n - 1];
  search_in<T>(row, values, count, true, out);
  for (int q = 0; q < count; ++q) {
    out[q] -= (out[q] == row.n) & !kernels::sorts_before(last, load<T>(values, q));
  }
}

// -- Cells

/// Steps of a search among n elements.
int steps(int64_t n) { return n > 1 ? 64 - __builtin_clzll(static_cast<uint64_t>(n - 1)) : 0; }

/// What the cell of a value costs, in steps: with 8 edges both ways take the same time, with more the cells are faster.
constexpr int kCellSteps = 3;

/// Counts the elements before each cell. The order need not be right: of a row that is not sorted, any answer is one.
template <class T>
int64_t fill_cells(Row<T> row, int64_t n, const Cells& cells, int32_t* before) {
  const CellsOf<T> cell(cells);
  int64_t filled = 0, most = 0;
  for (int64_t i = 0; i < n; ++i) {
    for (const int64_t c = cell(row[i]); filled <= c; ++filled) before[filled] = static_cast<int32_t>(i);
    const int64_t mates = i + 1 - before[filled - 1];
    most = mates > most ? mates : most;
  }
  for (; filled < cells.count; ++filled) before[filled] = static_cast<int32_t>(n);
  return most;
}

template <class T>
Cells cells_of(const SortedRow& sorted, int64_t count, int32_t* before) {
  using Number = CellNumber<T>;
  const Row<T> row{static_cast<const Stored<T>*>(sorted.data)};
  const int64_t n = nan_place(row, sorted.n, false);
  // Infinite edges are common, and stand at the ends.
  int64_t low = 0, high = n - 1;
  while (low < high && !kernels::isfinite(row[low])) ++low;
  while (low < high && !kernels::isfinite(row[high])) --high;
  if (low >= high) return {};
  const auto first = kernels::cast<Number>(row[low]);
  const Number scale = static_cast<Number>(count) / (kernels::cast<Number>(row[high]) - first);
  if (!(scale > 0) || !kernels::isfinite(scale)) return {};
  Cells cells{count, 0, static_cast<double>(first), static_cast<double>(scale), before};
  cells.most = fill_cells(row, n, cells, before);
  return steps(cells.most) + kCellSteps < steps(sorted.n) + 1 ? cells : Cells();
}

}  // namespace

Cells make_cells(const SortedRow& row, int64_t count, int32_t* before) {
  return kernels::with_element(row.type, [&](auto zero) -> Cells {
    if constexpr (kernels::complex_number<decltype(zero)>) {
      return {};
    } else {
      return cells_of<decltype(zero)>(row, count, before);
    }
  });
}

void search_values(const SortedRow& row, const void* values, int count, bool right, int64_t* out) {
  kernels::with_element(row.type,
                        [&](auto zero) { search_in<decltype(zero)>(row, values, count, right, out); });
}

void find_values(const SortedRow& row, const void* values, int count, uint8_t* out) {
  kernels::with_element(row.type, [&](auto zero) { find_in<decltype(zero)>(row, values, count, out); });
}

void find_intervals(const SortedRow& row, const void* values, int count, int64_t* out) {
  kernels::with_element(row.type,
                        [&](auto zero) { find_intervals_in<decltype(zero)>(row, values, count, out); });
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
