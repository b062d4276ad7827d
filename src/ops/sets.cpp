#include "ops/sets.h"

#include <array>
#include <limits>
#include <vector>

#include "core/promotion.h"
#include "ops/basic_index.h"
#include "ops/creation.h"
#include "ops/elementwise.h"
#include "ops/index.h"
#include "ops/index_mask.h"
#include "ops/join.h"
#include "ops/manipulate.h"
#include "ops/reduce.h"
#include "ops/scan.h"
#include "ops/search.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

Array first_to(const Array& a, std::int64_t stop) { return slice_first(a, 0, stop, 1); }
Array from_second(const Array& a) { return slice_first(a, 1, IndexItem::kEnd, 1); }
/// Of neighbours along the first axis.
Array compare_neighbours(Op op, const Array& a) { return binary(op, from_second(a), first_to(a, -1)); }

// -- Distinct slices ------------------------------------------------------------------------------------

/// The slices as rows of numbers.
Array as_rows(const Array& slices) {
  std::int64_t width = 1;
  for (int d = 1; d < slices.ndim(); ++d) width *= slices.shape()[d];
  return reshape(slices, Dims{slices.shape()[0], width});
}

/// The order that sorts rows lexicographically.
Array order_of(const Array& rows) {
  const std::int64_t n = rows.shape()[0], width = rows.shape()[1];
  if (n == 0 || width == 0) return arange(std::int64_t{0}, n, std::int64_t{1}, rows.backend());
  std::vector<Array> keys;
  for (std::int64_t i = width - 1; i >= 0; --i)
    keys.push_back(basic_index(rows, std::array{IndexItem::all(), IndexItem::at(i)}));
  return lexsort(keys);
}

/// A row is new where any element differs from the row before it.
Array marks_of_new(const Array& ordered) {
  const std::int64_t n = ordered.shape()[0];
  const Array marks = full(Dims{n}, Scalar::of(dtype::bool_, true), 'C', ordered.backend());
  if (n > 1) {
    const Array differs = any(compare_neighbours(Op::not_equal, ordered), {.axes = Dims{1}});
    set_view(from_second(marks), differs);
  }
  return marks;
}

Unique unique_slices(const Array& a, int axis, const UniqueArgs& args) {
  const Array slices = moveaxis(a, Dims{axis}, Dims{0}), rows = as_rows(slices);
  const Array order = order_of(rows), ordered = take(rows, order, 0), is_new = marks_of_new(ordered);
  const Array distinct = compress(is_new, ordered, 0);
  const std::int64_t n = rows.shape()[0];
  Dims shape = slices.shape();
  shape[0] = distinct.shape()[0];
  Unique result;
  result.values = moveaxis(reshape(distinct, shape), Dims{0}, Dims{axis});
  if (args.index) result.index = select(order, is_new);
  if (args.inverse) {
    result.inverse = empty(Dims{n}, dtype::int64, 'C', a.backend());
    const Array rank = binary(Op::subtract, cumsum(is_new), Value::integer(1));
    set_item(result.inverse, std::array{IndexItem::by(order)}, rank);
  }
  if (args.counts) {
    const Array ends =
        concatenate(std::array{flatnonzero(is_new), from_integers(std::array{n}, a.backend())});
    result.counts = compare_neighbours(Op::subtract, ends);
  }
  return result;
}

// -- Membership -----------------------------------------------------------------------------------------

/// Both in one dtype. int64 and uint64 promote to float64, which would make neighbours equal: the tests that the other dtype
/// does not hold equal none of its values, and are left out.
void make_comparable(Array& elements, Array& tests) {
  dtype common = promote_types(elements.type(), tests.type());
  if (is_floating(common) && is_integer(elements.type()) && is_integer(tests.type())) {
    const bool is_signed = is_signed_integer(elements.type());
    common = is_signed ? dtype::int64 : dtype::uint64;
    const Array held =
        is_signed ? binary(Op::less_equal, tests, Value::integer(std::numeric_limits<std::int64_t>::max()))
                  : binary(Op::greater_equal, tests, Value::integer(0));
    tests = select(tests, held);
  }
  elements = record_cast(elements, common);
  tests = record_cast(tests, common);
}

}  // namespace

Unique unique_along(const Array& a, std::optional<std::int64_t> axis, const UniqueArgs& args) {
  if (axis) {
    const int d = normalize_axis("unique", *axis, a.ndim());
    if (a.ndim() != 1) return unique_slices(a, d, args);
  }
  Unique result = unique(a, args);
  if (args.inverse) result.inverse = reshape(result.inverse, a.shape());
  return result;
}

Array is_in(const Array& given, const Array& given_tests) {
  Array elements = given, tests = ravel(given_tests);
  if (tests.size() != 0) make_comparable(elements, tests);
  if (tests.size() == 0) return zeros(given.shape(), dtype::bool_, 'C', given.backend());
  return is_among(sort(tests), elements);
}

Array union1d(const Array& a, const Array& b) {
  return unique(concatenate(std::array{a, b}, std::nullopt)).values;
}

Intersection intersect1d(const Array& a, const Array& b, bool assume_unique, bool return_indices) {
  Array first = ravel(a), second = ravel(b), places1, places2;
  if (!assume_unique) {
    const UniqueArgs wanted{.index = return_indices};
    const Unique u = unique(first, wanted), v = unique(second, wanted);
    first = u.values;
    second = v.values;
    places1 = u.index;
    places2 = v.index;
  }
  Array both = concatenate(std::array{first, second});
  const Array order = argsort(both);  // stable: of a pair of equals the first is of `a`
  both = take(both, order);
  const Array common = flatnonzero(compare_neighbours(Op::equal, both));
  Intersection result{take(both, common), {}, {}};
  if (!return_indices) return result;
  result.index1 = take(order, common);
  const Array partners = take(order, binary(Op::add, common, Value::integer(1)));
  result.index2 = binary(Op::subtract, partners, Value::integer(first.size()));
  if (assume_unique) return result;
  result.index1 = take(places1, result.index1);
  result.index2 = take(places2, result.index2);
  return result;
}

Array setxor1d(const Array& a, const Array& b, bool assume_unique) {
  const std::array sets =
      assume_unique ? std::array{ravel(a), ravel(b)} : std::array{unique(a).values, unique(b).values};
  const Array both = sort(concatenate(sets));
  if (both.size() < 2) return both;
  // Of the edges between neighbours, and those at the ends, both sides must be there.
  const Array edges = full(Dims{both.size() + 1}, Scalar::of(dtype::bool_, true), 'C', both.backend());
  set_view(slice_first(edges, 1, -1, 1), compare_neighbours(Op::not_equal, both));
  return select(both, compare_neighbours(Op::logical_and, edges));
}

Array setdiff1d(const Array& a, const Array& b, bool assume_unique) {
  const Array elements = assume_unique ? ravel(a) : unique(a).values;
  return select(elements, apply(Op::logical_not, dtype::bool_, is_in(elements, b)));
}

}  // namespace cuprum::ops
