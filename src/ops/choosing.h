// Values chosen by conditions.
#pragma once

#include <functional>
#include <span>
#include <variant>
#include <vector>

#include "expr/array.h"
#include "ops/value.h"

namespace cuprum::ops {

/// np.select: for each place the element of the first choice whose condition, bool, is true there, else `otherwise`.
Array select_first(std::span<const Array> conditions, std::span<const Value> choices, const Value& otherwise,
                   Backend& backend);

/// What `piecewise` does with elements: gives them a value, or what a function makes of them.
using Piece = std::variant<Value, std::function<Array(const Array&)>>;

/// `x` mapped by the piece of the last condition that is true; one piece more than conditions is for the rest. A function is
/// called once, with the elements that it is for, if there are any. Conditions are of one shape.
Array piecewise(const Array& x, std::span<const Array> conditions, std::span<const Piece> pieces);

}  // namespace cuprum::ops
