#include "ops/bits.h"

#include <array>

#include "core/texts.h"
#include "ops/creation.h"
#include "ops/elementwise.h"
#include "ops/join.h"
#include "ops/manipulate.h"
#include "ops/reduce.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

/// The array with the axis that is worked along last, and where that axis belongs.
struct Lines {
  Array a;
  int axis = 0;

  int last() const { return a.ndim() - 1; }
  std::int64_t length() const { return a.shape()[last()]; }
};

Lines lines_of(const char* function, const Array& given, const std::optional<std::int64_t>& axis) {
  if (!axis) return {ravel(given), 0};
  const Array a = given.ndim() == 0 ? reshape(given, Dims{1}) : given;
  const int d = normalize_axis(function, *axis, a.ndim());
  return {moveaxis(a, Dims{d}, Dims{-1}), d};
}

Array put_back(const Array& a, int axis) { return moveaxis(a, Dims{-1}, Dims{axis}); }

/// Where each bit of a byte stands in it.
Array shifts_of(bool little, Backend& backend) {
  const Scalar first = Scalar::of(dtype::int64, std::int64_t{little ? 0 : 7}),
               step = Scalar::of(dtype::int64, std::int64_t{little ? 1 : -1});
  return arange(8, first, step, dtype::uint8, backend);
}

/// The last axis cut to `n`, or filled with zeros up to it.
Array resized(const Array& x, std::int64_t n) {
  const int last = x.ndim() - 1;
  const std::int64_t length = x.shape()[last];
  if (length >= n) return part(x, last, 0, n);
  Dims more = x.shape();
  more[last] = n - length;
  return concatenate(std::array{x, zeros(more, x.type(), 'C', x.backend())}, -1);
}

/// The shape of `x` with other lengths in the place of the last one.
Dims with_last(const Array& x, std::initializer_list<std::int64_t> lengths) {
  Dims shape(x.shape().begin(), x.shape().end() - 1);
  for (std::int64_t n : lengths) shape.push_back(n);
  return shape;
}

}  // namespace

Array packbits(const Array& a, std::optional<std::int64_t> axis, const std::string& bitorder) {
  if (!is_integer(a.type()) && !is_bool(a.type())) {
    throw TypeError(
        std::string("cuprum.packbits: Expected an input array of integer or boolean data type, given ") +
        name(a.type()));
  }
  if (bitorder != "big" && bitorder != "little") {
    throw ValueError("cuprum.packbits: 'order' must be either 'little' or 'big', given '" + bitorder + "'");
  }
  const Lines lines = lines_of("packbits", a, axis);
  const std::int64_t bytes = (lines.length() + 7) / 8;
  const Array bits = resized(to_bool(lines.a), bytes * 8);
  const Array rows = record_cast(reshape(bits, with_last(bits, {bytes, 8})), dtype::uint8);
  const Array shifted = binary(Op::left_shift, rows, shifts_of(bitorder == "little", a.backend()));
  return put_back(sum(shifted, {.axes = Dims{-1}, .type = dtype::uint8}), lines.axis);
}

Array unpackbits(const Array& a, std::optional<std::int64_t> axis, std::optional<std::int64_t> count,
                 const std::string& bitorder) {
  if (a.type() != dtype::uint8) {
    throw TypeError(
        std::string("cuprum.unpackbits: Expected an input array of unsigned byte data type, given ") +
        name(a.type()));
  }
  if (!bitorder.starts_with('b') && !bitorder.starts_with('l')) {  // NumPy asks for no more here
    throw ValueError("cuprum.unpackbits: 'order' must begin with 'l' or 'b', given '" + bitorder + "'");
  }
  const Lines lines = lines_of("unpackbits", a, axis);
  const Array shifts = shifts_of(bitorder[0] == 'l', a.backend());
  const Value one(Scalar::of(dtype::uint8, std::uint8_t{1}));
  Array bits = binary(Op::bitwise_and, binary(Op::right_shift, expand_dims(lines.a, Dims{-1}), shifts), one);
  const std::int64_t available = lines.length() * 8;
  bits = reshape(bits, with_last(lines.a, {available}));
  if (count) {
    if (*count < -available) {
      throw ValueError("cuprum.unpackbits: -count larger than number of elements: given " +
                       std::to_string(*count) + ", there are " + std::to_string(available));
    }
    bits = resized(bits, *count >= 0 ? *count : available + *count);
  }
  return put_back(bits, lines.axis);
}

}  // namespace cuprum::ops
