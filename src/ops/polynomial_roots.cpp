// From a polynomial to its zeros and back.
#include <array>
#include <string>

#include "core/promotion.h"
#include "ops/basic_index.h"
#include "ops/creation.h"
#include "ops/diagonals.h"
#include "ops/elementwise.h"
#include "ops/index.h"
#include "ops/join.h"
#include "ops/linalg_matrix.h"
#include "ops/manipulate.h"
#include "ops/polynomial.h"
#include "ops/reduce.h"
#include "ops/sort.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

Array float_zeros(std::int64_t n, dtype type, Backend& backend) { return zeros(Dims{n}, type, 'C', backend); }

/// The coefficients from the first to the last that is not zero, and how many are behind it. One transfer.
struct Core {
  Array p;
  std::int64_t behind;
};
Core without_zero_ends(const Array& p) {
  const std::int64_t n = p.size();
  const Array mask = binary(Op::not_equal, p, Value::integer(0)),
              places = arange(std::int64_t{0}, n, std::int64_t{1}, p.backend());
  const Array ends = stack(
      std::array{min(where(mask, places, Value::integer(n))), max(where(mask, places, Value::integer(-1)))});
  const std::vector<std::int64_t> bounds = to_integers(ends);
  if (bounds[1] < 0) return {part(p, 0, 0, 0), 0};
  return {part(p, 0, bounds[0], bounds[1] + 1 - bounds[0]), n - 1 - bounds[1]};
}

// -- Products of factors. Series are columns, the constant term first: all products of a level are made at a time.

Array padded(const Array& series, std::int64_t n) {
  Dims more = series.shape();
  more[0] = n - more[0];
  if (more[0] == 0) return series;
  return concatenate(std::array{series, zeros(more, series.type(), 'C', series.backend())});
}

Array times_x(const Array& series) {
  return concatenate(std::array{binary(Op::multiply, part(series, 0, 0, 1), Value::integer(0)), series});
}

/// By Horner's rule over series.
Array product(Array a, Array b) {
  if (a.shape()[0] > b.shape()[0]) std::swap(a, b);
  const auto term = [&](std::int64_t k) { return binary(Op::multiply, item_first(a, k), b); };
  std::int64_t k = a.shape()[0] - 1;
  Array sum = term(k);
  while (k-- > 0) {
    const Array risen = times_x(sum);
    sum = binary(Op::add, padded(term(k), risen.shape()[0]), risen);
  }
  return sum;
}

/// Half as many series: each of the first half times one of the second. The first takes what is left.
Array by_pairs(const Array& factors) {
  const std::int64_t count = factors.shape()[1], half = count / 2;
  const Array products = product(part(factors, 1, 0, half), part(factors, 1, half, half));
  if (count % 2 == 0) return products;
  const Array first = product(part(products, 1, 0, 1), part(factors, 1, count - 1, 1));
  return concatenate(std::array{first, padded(part(products, 1, 1, half - 1), first.shape()[0])}, 1);
}

/// The constant term first.
Array from_roots(const Array& roots) {
  const std::int64_t n = roots.size();
  const Array constants = binary(Op::subtract, Value::floating(0.0), sort(roots));
  Array factors = stack(std::array{constants, ones(Dims{n}, roots.type(), 'C', roots.backend())});
  while (factors.shape()[1] > 1) factors = slice_first(by_pairs(factors), 0, n + 1, 1);
  return reshape(part(factors, 1, 0, 1), Dims{n + 1});
}

bool in_conjugate_pairs(const Array& zeros) {
  return to_truth(all(binary(Op::equal, sort(zeros), sort(unary(Op::conjugate, zeros)))));
}

dtype root_type(dtype t) { return t == dtype::float32 || is_complex(t) ? t : dtype::float64; }

}  // namespace

Array roots(const Array& given) {
  const Array all = atleast(given, 1);
  if (all.ndim() != 1) throw ValueError("cuprum.roots: Input must be a rank-1 array.");
  Backend& backend = given.backend();
  if (all.size() == 0) return float_zeros(0, dtype::float64, backend);
  const auto [core, at_origin] = without_zero_ends(all);
  const bool stays = (is_floating(core.type()) && core.type() != dtype::bfloat16) || is_complex(core.type());
  const Array p = stays ? core : record_cast(core, dtype::float64);
  const std::int64_t n = p.size();
  if (n < 2) return float_zeros(at_origin, dtype::float64, backend);
  const Array matrix = diag(ones(Dims{n - 2}, p.type(), 'C', backend), -1);
  const Array row = binary(Op::divide, unary(Op::negative, part(p, 0, 1, n - 1)), item_first(p, 0));
  set_item(matrix, std::array{IndexItem::at(0)}, row);
  Array found = eigvals(matrix);
  if (!is_complex(p.type()) && !to_truth(any(imag(found))))
    found = record_copy(real(found), real_type(found.type()), 'C');
  return concatenate(std::array{found, float_zeros(at_origin, found.type(), backend)});
}

Array poly(const Array& seq_of_zeros) {
  Array zeros = atleast(seq_of_zeros, 1);
  const bool square = zeros.ndim() == 2 && zeros.shape()[0] == zeros.shape()[1] && zeros.size() != 0;
  if (!square && zeros.ndim() != 1)
    throw ValueError("cuprum.poly: input must be 1d or non-empty square 2d array.");
  if (square) zeros = eigvals(zeros);
  if (zeros.size() == 0) return ones(Dims{}, dtype::float64, 'C', zeros.backend());
  zeros = record_cast(zeros, root_type(zeros.type()));
  const Array result = flip(from_roots(zeros));
  if (is_complex(zeros.type()) && in_conjugate_pairs(zeros))
    return record_copy(real(result), real_type(result.type()), 'C');
  return record_copy(result, result.type(), 'C');
}

}  // namespace cuprum::ops
