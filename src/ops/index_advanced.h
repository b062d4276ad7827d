// Indexing with arrays of bools and integers, with NumPy's rules for mixtures: a boolean array stands for the
// integer arrays of its true positions; index arrays broadcast together; their dimensions stand where the index
// arrays stood when those were next to each other, else first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/op.h"
#include "ops/index.h"

namespace cuprum::ops {

bool is_advanced(Index index);

Array get_advanced(const Array& a, Index index);
void set_advanced(const Array& a, Index index, const Input& value);

/// `a[index] = op(a[index], value)` one after the other, so that repeated indices accumulate (ufunc.at).
void fold_at(const Array& a, Index index, Op op, const Input& value);

/// `a[mask]` of a mask with the shape of the first dimensions.
Array select(const Array& a, const Array& mask);
/// `a[mask] = value` of a mask with the shape of `a`; `value` is one element or one per true element.
void masked_fill(const Array& a, const Array& mask, const Input& value);

/// `from` at int64 index arrays over its first dimensions; index arrays broadcast. Throws IndexError.
Array gather(const Array& from, std::span<const Array> index);
void scatter(const Array& to, std::span<const Array> index, const Array& from);

}  // namespace cuprum::ops
