// Formulas: operators between arrays and numbers, with NumPy's promotion, and parts of an axis. A composite that is made of
// them reads as it would in Python; `using namespace formula` brings the operators into a file of src/ops.
#pragma once

#include <concepts>
#include <type_traits>

#include "ops/basic_index.h"
#include "ops/elementwise.h"
#include "ops/support.h"

namespace cuprum::ops::formula {

/// A plain number is weak, as Python's are.
inline Value term(const Array& a) { return a; }
inline Value term(const Value& v) { return v; }
inline Value term(const Scalar& s) { return s; }
template <std::integral T>
requires(!std::same_as<T, bool>) Value term(T v) { return Value::integer(v); }
inline Value term(double v) { return Value::floating(v); }

template <class A, class B>
concept OneIsArray = std::same_as<A, Array> || std::same_as<B, Array>;

#define CUPRUM_OPERATOR(symbol, operation)                                   \
  template <class A, class B>                                                \
  requires(OneIsArray<A, B>) Array operator symbol(const A& a, const B& b) { \
    return binary(Op::operation, term(a), term(b));                          \
  }
CUPRUM_OPERATOR(+, add)
CUPRUM_OPERATOR(-, subtract)
CUPRUM_OPERATOR(*, multiply)
CUPRUM_OPERATOR(/, divide)
CUPRUM_OPERATOR(%, remainder)
CUPRUM_OPERATOR(&, bitwise_and)
CUPRUM_OPERATOR(|, bitwise_or)
CUPRUM_OPERATOR(==, equal)
CUPRUM_OPERATOR(!=, not_equal)
CUPRUM_OPERATOR(<, less)
CUPRUM_OPERATOR(<=, less_equal)
CUPRUM_OPERATOR(>, greater)
CUPRUM_OPERATOR(>=, greater_equal)
#undef CUPRUM_OPERATOR

inline Array operator-(const Array& a) { return unary(Op::negative, a); }
inline Array logical_not(const Array& a) { return unary(Op::logical_not, a); }

inline Array floor(const Array& a) { return unary(Op::floor, a); }
inline Array ceil(const Array& a) { return unary(Op::ceil, a); }
inline Array rint(const Array& a) { return unary(Op::rint, a); }
inline Array absolute(const Array& a) { return unary(Op::absolute, a); }
inline Array isnan(const Array& a) { return unary(Op::isnan, a); }

/// `a[..., start:stop, ...]` of one axis, counted from the front.
inline Array between(const Array& a, int axis, std::int64_t start, std::int64_t stop = IndexItem::kEnd) {
  if (axis == 0) return slice_first(a, start, stop, 1);
  SmallVector<IndexItem, 4> index(static_cast<std::size_t>(axis), IndexItem::all());
  index.push_back(IndexItem::range(start, stop));
  return basic_index(a, {index.data(), index.size()});
}
/// `a[..., i, ...]` of one axis: a view without it.
inline Array at(const Array& a, int axis, std::int64_t i) {
  SmallVector<IndexItem, 4> index(static_cast<std::size_t>(axis), IndexItem::all());
  index.push_back(IndexItem::at(i));
  return basic_index(a, {index.data(), index.size()});
}

/// `shape` with one dimension set to `n`.
inline Dims with_length(Dims shape, int axis, std::int64_t n) {
  shape[static_cast<std::size_t>(axis)] = n;
  return shape;
}

}  // namespace cuprum::ops::formula
