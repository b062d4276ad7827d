#include "ops/polynomial.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "core/promotion.h"
#include "ops/basic_index.h"
#include "ops/creation.h"
#include "ops/edit.h"
#include "ops/elementwise.h"
#include "ops/index.h"
#include "ops/join.h"
#include "ops/linalg.h"
#include "ops/manipulate.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

Array from(const Array& a, std::int64_t start) { return slice_first(a, start, IndexItem::kEnd, 1); }
std::int64_t length(const Array& p) { return p.shape()[0]; }

/// With zeros in front, in its own dtype, up to n coefficients.
Array lengthened(const Array& p, std::int64_t n) {
  if (n <= length(p)) return p;
  return concatenate(std::array{zeros(Dims{n - length(p)}, p.type(), 'C', p.backend()), p});
}

Array combined(Op op, const Array& given_a, const Array& given_b) {
  const Array a = atleast(given_a, 1), b = atleast(given_b, 1);
  return binary(op, lengthened(a, length(b)), lengthened(b, length(a)));
}

/// Coefficients as a poly1d has them: without zeros in front, at least one.
Array canonical(const Array& given) {
  const Array p = atleast(given, 1);
  if (p.ndim() > 1)
    throw ValueError("cuprum.poly1d: Polynomial must be 1d only, given shape " + to_string(p.shape()));
  const Array trimmed = trim_zeros(p, "f");
  return trimmed.size() != 0 ? trimmed : zeros(Dims{1}, p.type(), 'C', p.backend());
}

/// What is left of a division, without leading coefficients that are zero but for rounding.
Array without_small_head(const Array& remainder) {
  std::vector<std::complex<double>> host(static_cast<std::size_t>(remainder.size()));
  copy_to_host(record_cast(remainder, dtype::complex128), host.data());
  std::size_t head = 0;
  while (head + 1 < host.size() && std::abs(host[head]) <= 1e-8) ++head;
  return record_copy(from(remainder, static_cast<std::int64_t>(head)), remainder.type());
}

}  // namespace

Array polyadd(const Array& a, const Array& b) { return combined(Op::add, a, b); }
Array polysub(const Array& a, const Array& b) { return combined(Op::subtract, a, b); }

Array polymul(const Array& given_a, const Array& given_b) {
  Array a = canonical(given_a), b = canonical(given_b);
  if (a.size() < b.size()) std::swap(a, b);
  return sliding_dot(a, flip(b), b.size() - 1, b.size() - 1);
}

PolyQuotient polydiv(const Array& u, const Array& v) {
  const Value zero = Value::floating(0.0);
  const Array a = binary(Op::add, atleast(u, 1), zero), b = binary(Op::add, atleast(v, 1), zero);
  const dtype type = promote_types(a.type(), b.type());
  const std::int64_t n = length(b), steps = length(a) - n + 1;
  const Array quotient = zeros(Dims{std::max<std::int64_t>(steps, 1)}, type, 'C', a.backend()),
              remainder = record_copy(a, type),
              scale = binary(Op::divide, Value::floating(1.0), item_first(b, 0));
  for (std::int64_t k = 0; k < steps; ++k) {  // each step needs the one before it
    const Array digit = binary(Op::multiply, scale, item_first(remainder, k));
    set_item(quotient, std::array{IndexItem::at(k)}, digit);
    inplace(Op::subtract, part(remainder, 0, k, n), binary(Op::multiply, digit, b));
  }
  return {quotient, without_small_head(remainder)};
}

Array polyder(const Array& p, std::int64_t m) {
  if (m < 0) throw ValueError("cuprum.polyder: Order of derivative must be positive (see polyint)");
  Array result = atleast(p, 1);
  const std::int64_t most = std::max<std::int64_t>(length(result), 1);  // nothing is left then
  for (std::int64_t i = 0; i < std::min(m, most); ++i) {
    const Array powers = arange(length(result) - 1, std::int64_t{0}, std::int64_t{-1}, p.backend());
    result = binary(Op::multiply, slice_first(result, 0, -1, 1), powers);
  }
  return result;
}

Array polyint(const Array& p, std::int64_t m, const Array* given) {
  constexpr std::int64_t kMaxOrder = 1000;  // NumPy's recursion ends there
  if (m < 0) throw ValueError("cuprum.polyint: Order of integral must be positive (see polyder)");
  if (m > kMaxOrder) {
    throw ValueError("cuprum.polyint: an order of " + std::to_string(m) + "; at most " +
                     std::to_string(kMaxOrder) + ", each of which has a constant");
  }
  Backend& backend = p.backend();
  Array k = given ? atleast(*given, 1) : zeros(Dims{m}, dtype::float64, 'C', backend);
  if (length(k) == 1 && m > 1) k = binary(Op::multiply, k, ones(Dims{m}, dtype::float64, 'C', backend));
  if (length(k) < m)
    throw ValueError("cuprum.polyint: k must be a scalar or a rank-1 array of length 1 or >m.");
  Array result = atleast(p, 1);
  for (std::int64_t i = 0; i < m; ++i) {
    const Array powers = arange(length(result), std::int64_t{0}, std::int64_t{-1}, backend);
    result = concatenate(std::array{binary(Op::divide, result, powers), part(k, 0, i, 1)});
  }
  return result;
}

Array polyval(const Array& p, const Array& x) {
  if (p.ndim() == 0) throw TypeError("cuprum.polyval: the coefficients must be a vector, given a number");
  Array y = zeros(x.shape(), x.type(), 'C', x.backend());
  for (std::int64_t i = 0; i < length(p); ++i)
    y = binary(Op::add, binary(Op::multiply, y, x), item_first(p, i));
  return y;
}

}  // namespace cuprum::ops
