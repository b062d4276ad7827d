// Operators over arrays that go with the statement. In `w * (x + y + z)` the sums live until the statement ends; they are let go of
// where they are read, so that they need no memory if the statement computes them.
#pragma once

#include <concepts>
#include <utility>

#include "cuprum/elementwise.h"

namespace cuprum {

/// One operand at least is an array that goes with the statement.
template <class A, class B>
concept passing_operands =
    (std::derived_from<A, array> ||
     std::derived_from<B, array>)&&std::convertible_to<A&&, operand>&& std::convertible_to<B&&, operand>;

#define CUPRUM_PASSING_OPERATOR(symbol, function)                               \
  template <class A, class B>                                                   \
  requires(passing_operands<A, B>) inline array operator symbol(A&& a, B&& b) { \
    return function(std::forward<A>(a), std::forward<B>(b));                    \
  }
CUPRUM_PASSING_OPERATOR(+, add)
CUPRUM_PASSING_OPERATOR(-, subtract)
CUPRUM_PASSING_OPERATOR(*, multiply)
CUPRUM_PASSING_OPERATOR(/, divide)
CUPRUM_PASSING_OPERATOR(%, remainder)
CUPRUM_PASSING_OPERATOR(&, bitwise_and)
CUPRUM_PASSING_OPERATOR(|, bitwise_or)
CUPRUM_PASSING_OPERATOR(^, bitwise_xor)
CUPRUM_PASSING_OPERATOR(<<, left_shift)
CUPRUM_PASSING_OPERATOR(>>, right_shift)
CUPRUM_PASSING_OPERATOR(<, less)
CUPRUM_PASSING_OPERATOR(<=, less_equal)
CUPRUM_PASSING_OPERATOR(>, greater)
CUPRUM_PASSING_OPERATOR(>=, greater_equal)
#undef CUPRUM_PASSING_OPERATOR
inline array operator-(array&& a) { return negative(std::move(a)); }
inline array operator~(array&& a) { return invert(std::move(a)); }

}  // namespace cuprum
