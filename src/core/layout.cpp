#include "core/layout.h"

#include <limits>

#include "core/integers.h"

namespace cuprum {

namespace {

// Should axis `outer` lie inside axis `inner`? 1 yes, 0 no, -1 the operands do not say.
int belongs_inside(int outer, int inner, const Dims& shape, std::span<const Dims* const> operands) {
  if (shape[outer] == 1 || shape[inner] == 1) return -1;
  int verdict = -1;
  for (const Dims* strides : operands) {
    const std::int64_t a = magnitude((*strides)[outer]);
    const std::int64_t b = magnitude((*strides)[inner]);
    if (a == 0 || b == 0) continue;
    if (b <= a)
      verdict = 0;  // C order wins conflicts
    else if (verdict < 0)
      verdict = 1;
  }
  return verdict;
}

}  // namespace

SmallVector<std::uint8_t, 8> axis_order(const Dims& shape, std::span<const Dims* const> operands) {
  // Insertion sort on axes listed from the fastest; it moves an axis inwards past those that should lie outside it.
  const int n = static_cast<int>(shape.size());
  SmallVector<std::uint8_t, 8> fast_first(n);
  for (int i = 0; i < n; ++i) fast_first[i] = static_cast<std::uint8_t>(n - 1 - i);
  for (int i = 1; i < n; ++i) {
    const std::uint8_t axis = fast_first[i];
    int position = i;
    for (int j = i - 1; j >= 0; --j) {
      const int verdict = belongs_inside(axis, fast_first[j], shape, operands);
      if (verdict == 0) break;
      if (verdict == 1) position = j;
    }
    for (int j = i; j > position; --j) fast_first[j] = fast_first[j - 1];
    fast_first[position] = axis;
  }
  for (int i = 0; i < n / 2; ++i) std::swap(fast_first[i], fast_first[n - 1 - i]);
  return fast_first;
}

Dims dense_strides(const Dims& shape, const SmallVector<std::uint8_t, 8>& order, std::int64_t itemsize) {
  Dims strides(shape.size());
  std::int64_t step = itemsize;
  for (std::size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = step;
    if (shape[order[i]] > 1) step *= shape[order[i]];
  }
  return strides;
}

Dims result_strides(const Dims& shape, std::span<const Dims* const> operands, std::int64_t itemsize,
                    char order) {
  if (order == 'F') return fortran_strides(shape, itemsize);
  if (order == 'C' || shape.size() < 2) return contiguous_strides(shape, itemsize);
  bool descending = true;  // plain C layouts, the common case, need no sorting
  for (const Dims* strides : operands) {
    std::int64_t outer = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = 0; i < shape.size(); ++i) {
      const std::int64_t inner = magnitude((*strides)[i]);
      if (shape[i] == 1 || inner == 0) continue;
      descending &= outer >= inner;
      outer = inner;
    }
  }
  if (descending) return contiguous_strides(shape, itemsize);
  return dense_strides(shape, axis_order(shape, operands), itemsize);
}

Dims copy_strides(const Dims& shape, const Dims& strides, std::int64_t itemsize) {
  SmallVector<std::uint8_t, 8> order;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    std::size_t at = i;
    while (at > 0 && magnitude(strides[order[at - 1]]) < magnitude(strides[i])) --at;
    order.insert(at, static_cast<std::uint8_t>(i));
  }
  return dense_strides(shape, order, itemsize);
}

Dims broadcast_strides(const Dims& from, const Dims& strides, const Dims& to) {
  if (from == to) {
    Dims same = strides;
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (from[i] == 1) same[i] = 0;
    }
    return same;
  }
  Dims result(to.size(), 0);
  const std::size_t lead = to.size() - from.size();
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] != 1) result[lead + i] = strides[i];
  }
  return result;
}

}  // namespace cuprum
