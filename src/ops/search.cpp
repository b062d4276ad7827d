#include "ops/search.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "core/texts.h"
#include "ops/assign.h"
#include "ops/creation.h"
#include "ops/elementwise.h"
#include "ops/index.h"
#include "ops/index_advanced.h"
#include "ops/index_mask.h"
#include "ops/join.h"
#include "ops/manipulate.h"
#include "ops/reduce.h"
#include "ops/support.h"

namespace cuprum::ops {

std::pair<std::int64_t, std::int64_t> smallest_and_largest(const Array& integers) {
  if (const std::vector<std::int64_t> known = known_values(integers); !known.empty()) {
    const auto [low, high] = std::ranges::minmax(known);
    return {low, high};
  }
  constexpr std::int64_t kFew =
      1024;  // sooner read by the host than reduced by two kernels, where it can read them
  if (integers.size() <= kFew && integers.backend().host_accessible()) {
    const auto [low, high] = std::ranges::minmax(to_integers(integers));
    return {low, high};
  }
  const Array i = record_cast(integers, dtype::int64);
  const Array both[] = {min(i), max(i)};
  evaluate(both, Reason::host_access);
  return {to_integer(both[0]), to_integer(both[1])};
}

namespace {

Scalar integer(std::int64_t value) { return Scalar::of(dtype::int64, value); }

/// Integer indices into an axis of length n, brought inside where the mode says so. `raise` leaves them as they are to the
/// plan of the index, which checks what the host knows of them, and to the gather.
Array bounded(const char* function, const Array& indices, std::int64_t n, Bounds bounds, const char* rule) {
  const bool whole = is_integer(indices.type()) || is_bool(indices.type());
  if (!whole || (indices.type() == dtype::uint64 && std::string_view(rule) == "safe")) {
    throw TypeError(prefix(function) + "Cannot cast array data from dtype('" + name(indices.type()) +
                    "') to dtype('int64') according to the rule '" + rule + "'; write indices.astype(int)");
  }
  if (bounds == Bounds::raise && is_integer(indices.type())) return indices;
  const Array i = record_cast(indices, dtype::int64);
  if (bounds == Bounds::wrap) return apply(Op::remainder, dtype::int64, i, integer(n));
  if (bounds == Bounds::clip) {
    const Input inputs[] = {i, integer(0), integer(n - 1)};
    return record(Op::clip, *find_signature(Op::clip, dtype::int64), inputs, i.shape());
  }
  return i;
}

/// The index that names position `i` of one axis and everything of the others.
struct AxisIndex {
  IndexItem items[kMaxDims];
  std::size_t count = 0;

  AxisIndex(int axis, const Array& i) {
    for (int d = 0; d < axis; ++d) items[count++] = IndexItem::all();
    items[count++] = IndexItem::by(i);
  }
  operator Index() const { return {items, count}; }
};

/// `values` flattened and repeated to n elements; n > 0 and values not empty.
Array cycled(const Array& values, std::int64_t n) {
  const Array flat = ravel(values);
  if (flat.size() == n) return flat;
  if (flat.size() == 1) return broadcast_to(flat, Dims{n});
  return resize(flat, Dims{n});
}

/// The result in `out`, whose dtype must be safe to read as the result's where NumPy asks for it.
Array delivered(const char* function, const Array& result, const Array* out, bool safe = true) {
  if (!out) return result;
  if (!(out->shape() == result.shape())) {
    throw ValueError(prefix(function) + "output array does not match result of ndarray.take: given shape " +
                     to_string(out->shape()) + ", the result has " + to_string(result.shape()));
  }
  if (safe && !can_cast(out->type(), result.type(), Casting::safe)) {
    throw TypeError(prefix(function) + "Cannot cast array data from dtype('" + name(out->type()) +
                    "') to dtype('" + name(result.type()) + "') according to the rule 'safe'");
  }
  assign(*out, Input(result));
  return *out;
}

}  // namespace

// -- Positions of true elements -------------------------------------------------------------------------

std::vector<Array> nonzero(const Array& a) {
  if (a.ndim() == 0) {
    throw ValueError(
        "cuprum.nonzero: Calling nonzero on 0d arrays is not allowed. Use cp.atleast_1d(scalar).nonzero() "
        "instead.");
  }
  const Array rows = true_coordinates(to_bool(a));
  std::vector<Array> result;
  for (int d = 0; d < a.ndim(); ++d) {
    result.push_back(basic_index(rows, std::array{IndexItem::all(), IndexItem::at(d)}));
  }
  return result;
}

Array flatnonzero(const Array& a) {
  return basic_index(true_coordinates(to_bool(ravel(a))), std::array{IndexItem::all(), IndexItem::at(0)});
}

Array argwhere(const Array& a) {
  if (a.ndim() == 0) return empty(Dims{to_truth(to_bool(a)) ? 1 : 0, 0}, dtype::int64, 'C', a.backend());
  return true_coordinates(to_bool(a));
}

// -- By position ----------------------------------------------------------------------------------------

Array take(const Array& a, const Array& indices, std::optional<std::int64_t> axis, const Array* out,
           Bounds bounds) {
  if (!axis || a.ndim() == 0) {
    if (axis) normalize_axis("take", *axis, 1);
    return a.ndim() == 1 ? take(a, indices, 0, out, bounds) : take(ravel(a), indices, 0, out, bounds);
  }
  const int d = normalize_axis("take", *axis, a.ndim());
  const Array i = bounded("take", indices, std::max<std::int64_t>(a.shape()[d], 1), bounds, "same_kind");
  std::int64_t rows = 1;  // of an array without rows nothing is taken, so that no index is wrong
  Dims shape(a.shape().begin(), a.shape().begin() + d);
  for (std::int64_t n : shape) rows *= n;
  for (std::int64_t n : indices.shape()) shape.push_back(n);
  for (int k = d + 1; k < a.ndim(); ++k) shape.push_back(a.shape()[k]);
  if (a.shape()[d] == 0 && element_count(shape) != 0)
    throw IndexError("cannot do a non-empty take from an empty axes.");
  if (rows == 0 || (a.shape()[d] == 0 && bounds != Bounds::raise))
    return delivered("take", zeros(shape, a.type(), 'C', a.backend()), out);
  return delivered("take", get_advanced(a, AxisIndex(d, i), "take", 'C'), out);
}

namespace {

/// The axis that is meant, of indices that fit the array.
int checked_axis(const char* function, const Array& a, const Array& indices,
                 std::optional<std::int64_t> axis) {
  if (!axis && indices.ndim() != 1) {
    throw ValueError(prefix(function) +
                     "when axis=None, `indices` must have a single dimension, given shape " +
                     to_string(indices.shape()));
  }
  const int d = axis ? normalize_axis(function, *axis, a.ndim()) : 0;
  if (!is_integer(indices.type())) throw IndexError("`indices` must be an integer array");
  if (axis && indices.ndim() != a.ndim()) {
    throw ValueError(prefix(function) +
                     "`indices` and `arr` must have the same number of dimensions, given " +
                     std::to_string(indices.ndim()) + " and " + std::to_string(a.ndim()));
  }
  return d;
}

/// Calls f with the index that pairs each element of `indices` with its own place along the other axes.
template <class F>
auto along_axis(const char* function, const Array& a, const Array& indices, std::optional<std::int64_t> axis,
                F&& f) {
  const int d = checked_axis(function, a, indices, axis);
  std::vector<Array> places;
  for (int k = 0; k < a.ndim(); ++k) {
    if (k == d) {
      places.push_back(indices);
      continue;
    }
    Dims shape(static_cast<std::size_t>(a.ndim()), 1);
    shape[k] = a.shape()[k];
    places.push_back(reshape(arange(std::int64_t{0}, a.shape()[k], 1, a.backend()), shape));
  }
  std::vector<IndexItem> items;
  for (const Array& place : places) items.push_back(IndexItem::by(place));
  return f(Index(items));
}

}  // namespace

Array take_along_axis(const Array& a, const Array& indices, std::optional<std::int64_t> axis) {
  const Array from = axis ? a : ravel(a);
  return along_axis("take_along_axis", from, indices, axis,
                    [&](Index index) { return get_advanced(from, index, "take_along_axis"); });
}

void check_along_axis(const char* function, const Array& a, const Array& indices,
                      std::optional<std::int64_t> axis) {
  checked_axis(function, a, indices, axis);
}

void put_along_axis(const Array& a, const Array& indices, const Value& values,
                    std::optional<std::int64_t> axis) {
  if (axis || a.ndim() == 1) {
    return along_axis("put_along_axis", a, indices, axis,
                      [&](Index index) { set_advanced(a, index, values, "put_along_axis"); });
  }
  const Array flat = flatten(a);
  along_axis("put_along_axis", flat, indices, axis,
             [&](Index index) { set_advanced(flat, index, values, "put_along_axis"); });
  assign(a, Input(reshape(flat, a.shape())));
}

void check_put(const Array& a, const Array& indices) {
  if (!a.writeable()) throw_read_only();
  bounded("put", indices, a.size(), Bounds::raise, "safe");
  if (a.size() == 0 && indices.size() != 0) throw IndexError("cannot replace elements of an empty array");
}

void put(const Array& a, const Array& indices, const Array& values, Bounds bounds) {
  check_put(a, indices);
  if (indices.size() == 0 || values.size() == 0) return;
  const Array i = bounded("put", indices, a.size(), bounds, "safe");
  const Array v = reshape(cycled(values, i.size()), i.shape());
  const std::array index = {IndexItem::by(i)};
  if (a.c_contiguous()) return set_advanced(ravel(a), index, v, "put");
  const Array flat = flatten(a);
  set_advanced(flat, index, v, "put");
  assign(a, Input(reshape(flat, a.shape())));
}

Array choose(const Array& index, std::span<const Array> choices, std::span<const Weak> weak, const Array* out,
             Bounds bounds) {
  if (choices.empty()) throw ValueError("cuprum.choose: 0-length sequence.");
  const auto n = static_cast<std::int64_t>(choices.size());
  const Array i = record_cast(bounded("choose", index, n, bounds, "safe"), dtype::int64);
  std::vector<OperandType> operands;
  std::vector<Dims> shapes = {index.shape()};
  for (std::size_t k = 0; k < choices.size(); ++k) {
    operands.push_back({choices[k].type(), k < weak.size() ? weak[k] : Weak::strong});
    shapes.push_back(choices[k].shape());
  }
  const dtype type = result_type(operands);
  const Dims shape = broadcast_shapes("choose", shapes.data(), static_cast<int>(shapes.size()));
  if (bounds == Bounds::raise && element_count(shape) != 0) {
    const auto [low, high] = smallest_and_largest(index);
    if (low < 0 || high >= n) {
      throw ValueError("cuprum.choose: invalid entry in choice array: indices reach from " +
                       std::to_string(low) + " to " + std::to_string(high) + ", there are " +
                       std::to_string(n) + " choices");
    }
  }
  Array result = broadcast_to(record_cast(choices[0], type), shape);
  for (std::int64_t k = 1; k < n; ++k) {
    const Array here = apply(Op::equal, dtype::int64, i, integer(k));
    result = choose_by(here, choices[static_cast<std::size_t>(k)], result, type);
  }
  if (n == 1) result = record_copy(result, type, 'C');
  return delivered("choose", value_if_0d(result), out, false);
}

// -- By condition ---------------------------------------------------------------------------------------

Array compress(const Array& condition, const Array& a, std::optional<std::int64_t> axis, const Array* out) {
  if (condition.ndim() != 1) {
    throw ValueError("cuprum.compress: condition must be a 1-d array, given shape " +
                     to_string(condition.shape()));
  }
  return take(a, flatnonzero(condition), axis, out);
}

Array extract(const Array& condition, const Array& a) {
  if (condition.shape() == a.shape() && a.ndim() > 0) return select(a, to_bool(condition));
  return take(a, flatnonzero(condition));
}

void check_mask(const char* function, const Array& a, const Array& mask) {
  if (!a.writeable()) throw_read_only();
  if (mask.size() == a.size()) return;
  throw ValueError(prefix(function) + "mask and data must be the same size, given " +
                   std::to_string(mask.size()) + " and " + std::to_string(a.size()));
}

void place(const Array& a, const Array& mask, const Array& values) {
  check_mask("place", a, mask);
  const Array where = reshape(to_bool(mask), a.shape());
  const std::int64_t count = a.size() == 0 ? 0 : to_integer(count_nonzero(where));
  if (count == 0) return;
  if (values.size() == 0) throw ValueError("cuprum.place: Cannot insert from an empty array!");
  const Array v = cycled(values, count);
  if (a.ndim() == 0) return set_item(a, {}, basic_index(v, std::array{IndexItem::at(0)}));
  masked_fill(a, where, v);
}

void putmask(const Array& a, const Array& mask, const Array& values) {
  check_mask("putmask", a, mask);
  if (values.size() == 0 || a.size() == 0) return;
  const Array where = reshape(to_bool(mask), a.shape());
  const Array from = values.shape() == a.shape() ? values : reshape(cycled(values, a.size()), a.shape());
  const Input inputs[] = {where, from, a};
  assign(a, Op::where, *find_signature(Op::where, a.type()), inputs);
}

void copyto(const Array& to, const Value& from, const Array* where, Casting casting) {
  const bool allowed =
      casting == Casting::equiv ? from.type() == to.type()
      : !from.is_weak()
          ? can_cast(from.type(), to.type(), casting)
          : can_cast(OperandType{from.type(), static_cast<Weak>(static_cast<int>(from.kind()) - 1)},
                     to.type(), casting);
  if (!allowed) {
    throw TypeError(prefix("copyto") + "Cannot cast " + (from.is_array() ? "array data" : "scalar") +
                    " from dtype('" + name(from.type()) + "') to dtype('" + name(to.type()) +
                    "') according to the rule '" + name(casting) + "'");
  }
  if (!to.writeable()) throw_read_only();
  if (!where) return set_view(to, from);
  const Array v = without_surplus(to_array(from, to.type(), to.backend()), to.ndim());
  const Dims shapes[] = {to.shape(), v.shape(), where->shape()};
  if (!(broadcast_shapes("copyto", shapes, 3) == to.shape())) {
    throw ValueError("cuprum.copyto: could not broadcast input array from shape " + shape_text(v.shape()) +
                     " and 'where' of shape " + shape_text(where->shape()) + " into shape " +
                     shape_text(to.shape()));
  }
  const Array mask = to_bool(*where);  // an Input keeps the address of its array
  const Input inputs[] = {mask, v, to};
  assign(to, Op::where, *find_signature(Op::where, to.type()), inputs);
}

}  // namespace cuprum::ops
