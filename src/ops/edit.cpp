#include "ops/edit.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "ops/creation.h"
#include "ops/elementwise.h"
#include "ops/index.h"
#include "ops/join.h"
#include "ops/manipulate.h"
#include "ops/reduce.h"
#include "ops/search.h"
#include "ops/sort.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

/// The array and the axis that is meant: without one, the only one of the flattened array.
struct Edited {
  Array a;
  int axis = 0;

  std::int64_t length() const { return a.shape()[axis]; }
  Array between(std::int64_t start, std::int64_t stop) const { return part(a, axis, start, stop - start); }
};

Edited edited(const char* function, const Array& a, const std::optional<std::int64_t>& axis) {
  if (!axis) return {a.ndim() == 1 ? a : ravel(a), 0};
  return {a, normalize_axis(function, *axis, a.ndim())};
}

/// Pieces of `from` joined along its axis, in its order.
Array joined(const Edited& from, std::span<const Array> pieces) {
  const Array result = concatenate(pieces, from.axis);
  const char order = settle_order('A', from.a);
  const bool lies_so = order == 'F' ? result.f_contiguous() : result.c_contiguous();
  return lies_so ? result : record_copy(result, result.type(), order);
}

Array whole_copy(const Edited& from) { return record_copy(from.a, from.a.type(), settle_order('A', from.a)); }

/// `at` counted from the front; up to `last`, which stands for itself.
std::int64_t checked_position(const char* function, std::int64_t at, const Edited& in, std::int64_t last) {
  const std::int64_t n = in.length();
  if (at < -n || at > last) {
    throw IndexError(std::string("cuprum.") + function + ": index " + std::to_string(at) +
                     " is out of bounds for axis " + std::to_string(in.axis) + " with size " +
                     std::to_string(n));
  }
  return at < 0 ? at + n : at;
}

Array bools(std::int64_t n, bool value, Backend& backend) {
  return full(Dims{n}, Scalar::of(dtype::bool_, value), 'C', backend);
}

const Value& no() {
  static const Value value(Scalar::of(dtype::bool_, false));
  return value;
}

// -- Taking out -----------------------------------------------------------------------------------------

Array without_one(const Edited& from, std::int64_t position) {
  const std::int64_t at = checked_position("delete", position, from, from.length() - 1);
  return joined(from, std::array{from.between(0, at), from.between(at + 1, from.length())});
}

Array without_range(const Edited& from, const IndexItem& slice) {
  const std::int64_t n = from.length();
  const Range range = clip_slice(slice.start, slice.stop, slice.step, n);
  if (range.count == 0) return whole_copy(from);
  const std::int64_t step = range.count > 1 ? slice.step : 1, end = range.start + step * (range.count - 1);
  const std::int64_t first = std::min(range.start, end), past = std::max(range.start, end) + 1;
  std::vector<Array> pieces = {from.between(0, first), from.between(past, n)};
  if (step > 1 || step < -1) {
    const Array keep = bools(past - first, true, from.a.backend());
    set_view(slice_first(keep, 0, past - first, std::abs(step)), no());
    pieces.insert(pieces.begin() + 1, compress(keep, from.between(first, past), from.axis));
  }
  return joined(from, pieces);
}

/// Which places stay.
Array kept(const Edited& from, const Array& where) {
  const std::int64_t n = from.length();
  if (is_bool(where.type())) {
    if (!(where.shape() == Dims{n})) {
      throw ValueError(
          "cuprum.delete: boolean array argument obj to delete must be one dimensional and match the axis "
          "length of " +
          std::to_string(n));
    }
    return apply(Op::logical_not, dtype::bool_, where);
  }
  const Array keep = bools(n, true, from.a.backend());
  set_item(keep, std::array{IndexItem::by(where)}, no());
  return keep;
}

// -- Putting in -----------------------------------------------------------------------------------------

/// Where to insert, int64; 0-d where a number was given.
Array positions_of(const IndexItem& where, const Edited& in) {
  Backend& backend = in.a.backend();
  if (where.kind == IndexItem::Kind::integer)
    return reshape(from_integers(std::array{where.start}, backend), Dims{});
  if (where.kind == IndexItem::Kind::slice) {
    const Range range = clip_slice(where.start, where.stop, where.step, in.length());
    // A step beyond all places may be too long to be added to anything.
    const std::int64_t step = range.count > 1 ? where.step : 1;
    return arange(range.count, Scalar::of(dtype::int64, range.start), Scalar::of(dtype::int64, step),
                  dtype::int64, backend);
  }
  const Array& positions = *where.array;
  if (is_bool(positions.type())) {
    if (positions.ndim() == 1) return flatnonzero(positions);
    throw ValueError("cuprum.insert: boolean array argument obj to insert must be one dimensional");
  }
  if (positions.ndim() > 1) {
    throw ValueError("cuprum.insert: index array argument obj to insert must be one dimensional or scalar");
  }
  if (!is_integer(positions.type())) {
    throw IndexError(
        std::string("cuprum.insert: arrays used as indices must be of integer (or boolean) type, not ") +
        name(positions.type()));
  }
  return record_cast(positions, dtype::int64);
}

/// Before one position any number of values may be put in.
Array insert_at(const Edited& in, std::int64_t position, const Value& given, bool is_number) {
  const std::int64_t at = checked_position("insert", position, in, in.length());
  Array values = to_array(given, in.a.type(), in.a.backend());
  if (values.ndim() < in.a.ndim()) {
    Dims shape(static_cast<std::size_t>(in.a.ndim() - values.ndim()), 1);
    for (std::int64_t n : values.shape()) shape.push_back(n);
    values = reshape(values, shape);
  }
  // A number names one slice across the axis, not a vector along it.
  if (is_number) values = moveaxis(values, Dims{0}, Dims{in.axis});
  Dims shape = in.a.shape();
  shape[in.axis] = values.shape()[in.axis];
  return joined(in, std::array{in.between(0, at), broadcast_to(values, shape), in.between(at, in.length())});
}

/// Where each value comes to lie: those before it have moved it on, by one each.
Array places_of(const Array& given, std::int64_t n) {
  const Value zero = Value::integer(0), length = Value::integer(n);
  const Array positions = where(binary(Op::less, given, zero), binary(Op::add, given, length), given);
  const Array order = argsort(positions, 0),
              places = empty(Dims{given.size()}, dtype::int64, 'C', given.backend());
  const Array rank = arange(std::int64_t{0}, given.size(), std::int64_t{1}, given.backend());
  set_item(places, std::array{IndexItem::by(order)}, binary(Op::add, take(positions, order), rank));
  return places;
}

}  // namespace

Array delete_items(const Array& a, const IndexItem& where, std::optional<std::int64_t> axis) {
  const Edited from = edited("delete", a, axis);
  if (where.kind == IndexItem::Kind::integer) return without_one(from, where.start);
  if (where.kind == IndexItem::Kind::slice) return without_range(from, where);
  const Array& positions = *where.array;
  if (positions.size() == 0 && is_integer(positions.type())) return whole_copy(from);
  if (positions.size() == 1 && is_integer(positions.type())) return without_one(from, to_integer(positions));
  return compress(kept(from, positions), from.a, from.axis);
}

Array insert(const Array& a, const IndexItem& where, const Value& values, std::optional<std::int64_t> axis) {
  const Edited in = edited("insert", a, axis);
  const Array positions = positions_of(where, in);
  if (positions.size() == 1) return insert_at(in, to_integer(positions), values, positions.ndim() == 0);
  const Array places = places_of(positions, in.length());
  Dims shape = in.a.shape();
  shape[in.axis] += positions.size();
  const Array old = bools(shape[in.axis], true, a.backend());
  set_item(old, std::array{IndexItem::by(places)}, no());
  const Array result = empty(shape, a.type(), settle_order('A', in.a), a.backend());
  std::vector<IndexItem> index(static_cast<std::size_t>(in.axis), IndexItem::all());
  index.push_back(IndexItem::by(places));
  set_item(result, index, values);
  index.back() = IndexItem::by(old);
  set_item(result, index, in.a);
  return result;
}

// -- Zeros at the ends ----------------------------------------------------------------------------------

std::vector<Range> trimmed_spans(const Array& a, const std::string& trim, const std::optional<Dims>& axes) {
  std::string ends = trim;
  std::transform(ends.begin(), ends.end(), ends.begin(), [](unsigned char c) { return std::tolower(c); });
  if (ends != "fb" && ends != "bf" && ends != "f" && ends != "b") {
    throw ValueError("cuprum.trim_zeros: unexpected character(s) in `trim`: '" + ends + "'");
  }
  std::vector<Range> spans;
  for (std::int64_t n : a.shape()) spans.push_back({0, n});
  Dims trimmed;
  for (int d = 0; d < a.ndim(); ++d) trimmed.push_back(d);
  if (axes) trimmed = normalize_axes("trim_zeros", *axes, a.ndim());
  if (trimmed.empty()) return spans;
  const Array places = argwhere(a);
  std::vector<std::int64_t> bounds;  // the first and the last place of each axis
  if (places.size() != 0) {
    const ReduceArgs rows{.axes = Dims{0}};
    bounds = to_integers(stack(std::array{min(places, rows), max(places, rows)}, 1));
  }
  for (std::int64_t d : trimmed) {
    const auto at = static_cast<std::size_t>(d);
    const std::int64_t n = spans[at].count;
    const std::int64_t first = bounds.empty() ? 0 : ends.find('f') != std::string::npos ? bounds[2 * at] : 0;
    const std::int64_t past = bounds.empty()                        ? 0
                              : ends.find('b') != std::string::npos ? bounds[2 * at + 1] + 1
                                                                    : n;
    spans[at] = {first, past - first};
  }
  return spans;
}

Array trim_zeros(const Array& a, const std::string& trim, const std::optional<Dims>& axes) {
  const std::vector<Range> spans = trimmed_spans(a, trim, axes);
  Array result = a;
  for (std::size_t d = 0; d < spans.size(); ++d)
    result = part(result, static_cast<int>(d), spans[d].start, spans[d].count);
  return result;
}

}  // namespace cuprum::ops
