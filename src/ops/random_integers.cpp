// Integers between bounds. Bounds of Python's own integers are exact, whatever the dtype of the result; arrays of bounds are looked at
// by their device, and the call waits for the answer.
#include <array>
#include <cmath>
#include <limits>

#include "core/dims.h"
#include "ops/elementwise.h"
#include "ops/manipulate.h"
#include "ops/random.h"
#include "ops/reduce.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

struct Limits {
  int128 least, most;
};

Limits limits_of(dtype type) {
  if (is_bool(type)) return {0, 1};
  const int bits = 8 * static_cast<int>(itemsize(type));
  const bool is_signed =
      type == dtype::int8 || type == dtype::int16 || type == dtype::int32 || type == dtype::int64;
  const int128 one = 1;
  return is_signed ? Limits{-(one << (bits - 1)), (one << (bits - 1)) - 1} : Limits{0, (one << bits) - 1};
}

[[noreturn]] void refuse(const std::string& what) { throw ValueError("cuprum.random.integers: " + what); }

[[noreturn]] void refuse_order(bool closed, bool low_is_zero) {
  if (low_is_zero) refuse(closed ? "high < 0" : "high <= 0");
  refuse(closed ? "low > high" : "low >= high");
}

/// int(x), as Python does it.
int128 number_of(const Value& v) {
  if (v.kind() == Value::Kind::weak_int) {
    if (v.is_huge())
      return v.is_negative() ? std::numeric_limits<std::int64_t>::min() * int128{4} : int128{1} << 100;
    return v.integer();
  }
  if (v.kind() == Value::Kind::weak_float) return static_cast<int128>(std::trunc(v.real()));
  const dtype type = v.type();
  const dtype wide = is_floating(type) ? dtype::float64 : type == dtype::uint64 ? type : dtype::int64;
  Scalar s;
  s.type = wide;
  if (v.is_array())
    copy_to_host(record_cast(v.array(), wide), s.bytes);
  else
    s = v.to_scalar(wide);
  if (wide == dtype::float64) return static_cast<int128>(std::trunc(s.as<double>()));
  return wide == dtype::uint64 ? static_cast<int128>(s.as<std::uint64_t>())
                               : static_cast<int128>(s.as<std::int64_t>());
}

bool is_number(const Value& v) { return !v.is_array() || v.array().ndim() == 0; }

bool any_compare(Op op, const Value& a, const Value& b) { return to_truth(any(binary(op, a, b))); }

/// Arrays of bounds as the least and how many more there are, both of `shape`.
struct Bounds {
  Array least, range;
};

Bounds bounds_of(const Value& low, const Value& high, const IntegerArgs& args, const Limits& limits,
                 Backend& backend) {
  const dtype wide = args.type == dtype::uint64 ? dtype::uint64 : dtype::int64;
  const Value first = is_number(low) ? Value::integer(number_of(low)) : low,
              last = is_number(high) ? Value::integer(number_of(high)) : high;
  const auto beyond = [&](const Value& v, Op op, int128 limit) {
    if (v.is_array()) return any_compare(op, v, Value::integer(limit));
    return op == Op::less ? v.integer() < limit : v.integer() > limit;
  };
  if (beyond(first, Op::less, limits.least))
    refuse(std::string("low is out of bounds for ") + name(args.type));
  if (beyond(last, Op::greater, limits.most + !args.endpoint))
    refuse(std::string("high is out of bounds for ") + name(args.type));
  if (any_compare(args.endpoint ? Op::greater : Op::greater_equal, first, last)) {
    const bool zero = first.is_array() ? !to_truth(any(first.array())) : first.integer() == 0;
    refuse_order(args.endpoint, zero);
  }
  // From here on nothing overflows that does not come right again modulo 2^64.
  const auto to_wide = [&](const Value& v, int128 less) {
    if (!v.is_array()) {
      const Scalar s = Scalar::of(wide, static_cast<std::uint64_t>(v.integer() - less));
      return record_full(backend, Dims{}, s);
    }
    const Array a = record_cast(v.array(), wide);
    return less == 0 ? a : apply(Op::subtract, wide, a, Scalar::of(wide, static_cast<std::uint64_t>(less)));
  };
  const Array least = to_wide(first, 0), most = to_wide(last, !args.endpoint);
  return {least, apply(Op::subtract, wide, most, least)};
}

}  // namespace

Array integers(BitGenerator& g, const Value& low, const Value& high, const IntegerArgs& args,
               Backend& backend) {
  const Limits limits = limits_of(args.type);
  const Law law = args.masked ? Law::masked_integers : Law::integers;
  if (args.size) {
    check_shape("random.integers", *args.size, args.type);
    for (const std::int64_t extent : *args.size) {
      if (extent == 0) return make_array(backend, args.type, *args.size);
    }
  }
  if (is_number(low) && is_number(high)) {
    const int128 first = number_of(low), last = number_of(high) - !args.endpoint;
    if (first < limits.least) refuse(std::string("low is out of bounds for ") + name(args.type));
    if (last > limits.most) refuse(std::string("high is out of bounds for ") + name(args.type));
    if (first > last) refuse_order(args.endpoint, first == 0);
    const LawParameters bounds = {static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(last - first),
                                  0};
    const Array result = g.draw({law, {}, {}, bounds}, {}, args.type, args.size.value_or(Dims{}), backend);
    return args.size ? result : value_if_0d(result);
  }
  const Bounds bounds = bounds_of(low, high, args, limits, backend);
  std::vector<Dims> shapes = {bounds.range.shape()};
  if (args.size) shapes.push_back(*args.size);
  const Dims shape = broadcast_shapes("random.integers", shapes.data(), static_cast<int>(shapes.size()));
  if (args.size && shape != *args.size)
    refuse("Output size " + to_string(*args.size) +
           " is not compatible with broadcast dimensions of inputs " + to_string(shape) + ".");
  const Array least = broadcast_to(bounds.least, shape), range = broadcast_to(bounds.range, shape);
  const std::array<const Array*, 2> in = {&least, &range};
  return g.draw({law, {}, {}}, in, args.type, shape, backend);
}

}  // namespace cuprum::ops
