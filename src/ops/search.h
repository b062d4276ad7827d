// Finding, choosing and replacing elements by condition or by position.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/promotion.h"
#include "expr/array.h"
#include "ops/value.h"

namespace cuprum::ops {

/// What `take`, `put` and `choose` do with an index out of bounds.
enum class Bounds : std::uint8_t { raise, wrap, clip };

/// Of integers that are not empty. Waits for the device, unless the host knows them.
std::pair<std::int64_t, std::int64_t> smallest_and_largest(const Array& integers);

/// One int64 array per dimension.
std::vector<Array> nonzero(const Array& a);
Array flatnonzero(const Array& a);
/// (count, ndim), int64.
Array argwhere(const Array& a);

/// `axis` unset: of the flattened array.
Array take(const Array& a, const Array& indices, std::optional<std::int64_t> axis = std::nullopt,
           const Array* out = nullptr, Bounds bounds = Bounds::raise);
Array take_along_axis(const Array& a, const Array& indices, std::optional<std::int64_t> axis = -1);
/// What both ask of their indices: integers, as many dimensions, an axis that exists.
void check_along_axis(const char* function, const Array& a, const Array& indices,
                      std::optional<std::int64_t> axis);
void put_along_axis(const Array& a, const Array& indices, const Value& values,
                    std::optional<std::int64_t> axis);
/// What `put` asks of its indices: integers that are safe to cast, and an array that has elements.
void check_put(const Array& a, const Array& indices);
/// a.flat[indices] = values, repeated as needed.
void put(const Array& a, const Array& indices, const Array& values, Bounds bounds = Bounds::raise);
/// `weak` says which choices are Python's numbers; those that it does not reach are arrays.
Array choose(const Array& index, std::span<const Array> choices, std::span<const Weak> weak = {},
             const Array* out = nullptr, Bounds bounds = Bounds::raise);
Array compress(const Array& condition, const Array& a, std::optional<std::int64_t> axis = std::nullopt,
               const Array* out = nullptr);
Array extract(const Array& condition, const Array& a);
/// What `place` and `putmask` ask of a mask.
void check_mask(const char* function, const Array& a, const Array& mask);
/// The k-th true element of mask takes values[k mod n].
void place(const Array& a, const Array& mask, const Array& values);
/// Every element under the mask takes values[its flat position mod n].
void putmask(const Array& a, const Array& mask, const Array& values);
/// np.copyto: `from` broadcasts to `to`; only where `where` is true.
void copyto(const Array& to, const Value& from, const Array* where = nullptr,
            Casting casting = Casting::same_kind);

}  // namespace cuprum::ops
