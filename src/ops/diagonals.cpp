#include "ops/diagonals.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <string>

#include "core/promotion.h"
#include "ops/assign.h"
#include "ops/basic_index.h"
#include "ops/creation.h"
#include "ops/manipulate.h"
#include "ops/scan.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

/// The elements of the main diagonal of all dimensions, as a view that can be written.
Array main_diagonal(const Array& a) {
  std::int64_t step = 0;
  for (std::int64_t stride : a.strides()) step += stride;
  const std::int64_t length = *std::min_element(a.shape().begin(), a.shape().end());
  return a.view(Dims{length}, Dims{step});
}

/// `values` over and over, from the one at `start` on.
Array repeated(const Array& values, std::int64_t start, std::int64_t count) {
  return part(resize(values, Dims{start + count}), 0, start, count);
}

void write(const Array& diagonal, const Value& value, std::int64_t start) {
  if (value.shape().size() == 0) return assign_value(nullptr, diagonal, value);
  assign_value(nullptr, diagonal, repeated(value.array(), start, diagonal.size()));
}

/// The diagonals of the squares that a tall matrix has one below the other, a row left free between them.
void fill_squares(const Array& a, const Value& value) {
  const std::int64_t rows = a.shape()[0], columns = a.shape()[1];
  std::int64_t start = 0;
  for (std::int64_t row = 0; row < rows; row += columns + 1) {
    const Array square = part(a, 0, row, std::min(columns, rows - row));
    const Array diagonal = main_diagonal(square);
    write(diagonal, value, start);
    start += diagonal.size();
  }
}

}  // namespace

Array diag(const Array& v, std::int64_t k) {
  if (v.ndim() == 2) return diagonal(v, k);
  if (v.ndim() != 1) {
    throw ValueError("cuprum.diag: Input must be 1- or 2-d; the array has " + std::to_string(v.ndim()) +
                     " dimensions");
  }
  std::int64_t n = 0;
  if (__builtin_add_overflow(v.size(), std::abs(k), &n)) n = std::numeric_limits<std::int64_t>::max();
  const Array result = zeros(Dims{n, n}, v.type(), 'C', v.backend());
  const std::int64_t start = k >= 0 ? k : -k * n;
  assign(slice_first(ravel(result), start, start + v.size() * (n + 1), n + 1), Input(v));
  return result;
}

void check_fill_diagonal(const Array& a) {
  if (a.ndim() < 2) throw ValueError("cuprum.fill_diagonal: array must be at least 2-d");
  for (std::int64_t n : a.shape()) {
    if (a.ndim() > 2 && n != a.shape()[0])
      throw ValueError("cuprum.fill_diagonal: All dimensions of input must be of equal length");
  }
}

void fill_diagonal(const Array& a, const Value& value, bool wrap) {
  check_fill_diagonal(a);
  if (!a.writeable()) throw_read_only();
  if (a.size() == 0) return;
  if (wrap && a.ndim() == 2 && a.shape()[0] > a.shape()[1]) return fill_squares(a, value);
  write(main_diagonal(a), value, 0);
}

Array vander(const Array& x, std::optional<std::int64_t> columns, bool increasing) {
  if (x.ndim() != 1) throw ValueError("cuprum.vander: x must be a one-dimensional array or sequence.");
  const std::int64_t n = columns.value_or(x.size());
  if (n < 0)
    throw ValueError("cuprum.vander: negative dimensions are not allowed, given N=" + std::to_string(n));
  const dtype type = promote_types(x.type(), dtype::int64);
  const Array powers = ones(Dims{x.size(), n}, type, 'C', x.backend());
  if (n < 2) return powers;
  const Array column = reshape(record_cast(x, type), Dims{x.size(), 1});
  const Array rising = increasing ? powers : flip(powers, Dims{1});
  const Array products = accumulate(Op::multiply, broadcast_to(column, Dims{x.size(), n - 1}), {.axis = 1});
  assign(part(rising, 1, 1, n - 1), Input(products));
  return powers;
}

}  // namespace cuprum::ops
