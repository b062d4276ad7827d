// Matrices by their diagonals and powers.
#pragma once

#include <cstdint>
#include <optional>

#include "expr/array.h"
#include "ops/value.h"

namespace cuprum::ops {

/// Of a matrix a read-only view of its k-th diagonal; of a vector the matrix with it there.
Array diag(const Array& v, std::int64_t k = 0);

/// What `fill_diagonal` asks of an array: two dimensions, or more of one length.
void check_fill_diagonal(const Array& a);
/// Writes `value` on the main diagonal of two or more dimensions, repeated as often as needed; `wrap` begins it anew below a
/// square of a tall matrix.
void fill_diagonal(const Array& a, const Value& value, bool wrap = false);

/// The powers of the elements of a vector, a row for each; `columns` unset: as many as elements.
Array vander(const Array& x, std::optional<std::int64_t> columns = std::nullopt, bool increasing = false);

}  // namespace cuprum::ops
