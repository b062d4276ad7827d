#include "ops/pad.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "ops/adjust.h"
#include "ops/basic_index.h"
#include "ops/creation.h"
#include "ops/elementwise.h"
#include "ops/manipulate.h"
#include "ops/reduce.h"
#include "ops/sort.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

constexpr std::int64_t kFew =
    1 << 16;  // elements: below, one kernel that fills everything costs less than one a border

Value zero() { return Value::integer(0); }

bool has_border(const PadWidth& width) { return width.before != 0 || width.after != 0; }

Array longer(const Array& a, const std::vector<PadWidth>& widths, const Scalar* fill) {
  Dims shape = a.shape();
  for (std::size_t d = 0; d < widths.size(); ++d) {
    const bool overflow = __builtin_add_overflow(shape[d], widths[d].before, &shape[d]) ||
                          __builtin_add_overflow(shape[d], widths[d].after, &shape[d]);
    if (overflow) shape[d] = std::numeric_limits<std::int64_t>::max();
  }
  check_shape("pad", shape, a.type());
  const char order = settle_order('A', a);
  return fill ? full(shape, *fill, order, a.backend()) : empty(shape, a.type(), order, a.backend());
}

/// What is inside of the borders of the axes from `first` on.
Array inside(const Array& padded, const Array& a, const std::vector<PadWidth>& widths, int first) {
  Array view = padded;
  for (int d = first; d < a.ndim(); ++d)
    view = part(view, d, widths[static_cast<std::size_t>(d)].before, a.shape()[d]);
  return view;
}

/// The array in the middle of a longer one; `fill` unset: whose border is not written.
Array enlarged(const Array& a, const std::vector<PadWidth>& widths, const Scalar* fill = nullptr) {
  const Array padded = longer(a, widths, fill);
  assign(inside(padded, a, widths, 0), Input(a));
  return padded;
}

/// One axis of the padded array: the borders of the axes still to come, which are not written yet, are left out.
struct Axis {
  Array x;
  int axis;
  PadWidth width;

  std::int64_t total() const { return x.shape()[axis]; }
  std::int64_t length() const { return total() - width.before - width.after; }
  Array at(std::int64_t start, std::int64_t count) const { return part(x, axis, start, count); }
  void write(std::int64_t start, std::int64_t count, const Value& value) const {
    const Array border = at(start, count);
    check_element(value, x.type());
    set_view(border, value);
  }
  void write_borders(const Value& before, const Value& after) const {
    if (width.before != 0) write(0, width.before, before);
    if (width.after != 0) write(total() - width.after, width.after, after);
  }
  Array first_edge() const { return at(width.before, 1); }
  Array last_edge() const { return at(total() - width.after - 1, 1); }
};

// -- Constants ------------------------------------------------------------------------------------------

bool is_same(const Value& a, const Value& b) {
  if (a.kind() != b.kind() || a.is_array()) return false;
  if (a.kind() == Value::Kind::scalar) {
    const Scalar &x = a.scalar(), &y = b.scalar();
    return x.type == y.type && std::memcmp(x.bytes, y.bytes, itemsize(x.type)) == 0;
  }
  if (a.kind() == Value::Kind::weak_int) return !a.is_huge() && !b.is_huge() && a.integer() == b.integer();
  const double x[] = {a.real(), a.imag()}, y[] = {b.real(), b.imag()};
  return std::memcmp(x, y, sizeof x) == 0;
}

bool all_same(const std::vector<PadValues>& values) {
  return std::all_of(values.begin(), values.end(), [&](const PadValues& pair) {
    return is_same(pair[0], values[0][0]) && is_same(pair[1], values[0][0]);
  });
}

Array with_constants(const Array& a, const std::vector<PadWidth>& widths,
                     const std::vector<PadValues>& values) {
  if (a.ndim() > 0 && a.size() < kFew && all_same(values)) {
    check_element(values[0][0], a.type());
    const Scalar fill = values[0][0].to_scalar(a.type());
    return enlarged(a, widths, &fill);
  }
  const Array padded = enlarged(a, widths);
  for (int d = 0; d < a.ndim(); ++d) {
    const auto at = static_cast<std::size_t>(d);
    const Axis axis{inside(padded, a, widths, d + 1), d, widths[at]};
    // Borders of no width too: a number that does not fit is an error.
    axis.write(0, axis.width.before, values[at][0]);
    axis.write(axis.total() - axis.width.after, axis.width.after, values[at][1]);
  }
  return padded;
}

// -- Edges, ramps and statistics ------------------------------------------------------------------------

void write_edges(const Axis& x) { x.write_borders(x.first_edge(), x.last_edge()); }

void write_ramps(const Axis& x, const PadValues& ends) {
  const auto ramp = [&](const Value& end, const Array& edge, std::int64_t count) {
    const Array stop = squeeze(edge, Dims{x.axis});
    return linspace(end, stop, count, false, x.x.type(), x.axis, x.x.backend()).samples;
  };
  const Array first = ramp(ends[0], x.first_edge(), x.width.before),
              last = ramp(ends[1], x.last_edge(), x.width.after);
  x.write_borders(first, flip(last, Dims{x.axis}));
}

/// The mean of the one or two in the middle; NaN, which is sorted to the end, makes it NaN.
Array median(const Array& x, const ReduceArgs& along, int axis) {
  const std::int64_t n = x.shape()[axis];
  if (n == 0) return mean(x, along);
  const Array ordered = sort(x, axis),
              middle = mean(part(ordered, axis, (n - 1) / 2, n / 2 + 1 - (n - 1) / 2), along);
  if (!is_floating(x.type()) && !is_complex(x.type())) return middle;
  const Array last = part(ordered, axis, n - 1, 1);
  return where(unary(Op::isnan, last), last, middle);
}

Array statistic(const Array& x, int axis, const std::string& mode) {
  const ReduceArgs along{.axes = Dims{axis}, .keepdims = true};
  if (mode == "maximum") return max(x, along);
  if (mode == "minimum") return min(x, along);
  const Array value = mode == "mean" ? mean(x, along) : median(x, along, axis);
  return is_integer(x.type()) ? round(value) : value;
}

void write_statistics(const Axis& x, const StatLengths& lengths, const std::string& mode) {
  const std::int64_t n = x.length();
  const std::int64_t first = std::min(lengths[0].value_or(n), n), last = std::min(lengths[1].value_or(n), n);
  const Array before = statistic(x.at(x.width.before, first), x.axis, mode);
  const bool same = first == n && last == n;
  x.write_borders(before, same ? before : statistic(x.at(x.width.before + n - last, last), x.axis, mode));
}

// -- Mirrors and periods --------------------------------------------------------------------------------

Array mirrored(const Array& values, const Array& edge, int axis, bool odd) {
  const Array turned = flip(values, Dims{axis});
  if (!odd) return turned;
  return binary(Op::subtract, binary(Op::multiply, Value::integer(2), edge), turned);
}

/// What is there already is mirrored, whole periods of it, until the border is full.
void write_reflected(const Axis& x, std::int64_t n, bool with_edge, bool odd) {
  if (n == 1) return write_edges(x);  // nothing to mirror: NumPy repeats the only element
  std::int64_t before = x.width.before, after = x.width.after;
  while (before > 0 || after > 0) {
    const std::int64_t there = x.total() - before - after;
    const std::int64_t chunk = with_edge ? there / n * n : (there - 1) / (n - 1) * (n - 1);
    const std::int64_t offset = with_edge ? 1 : 0;
    if (before > 0) {
      const std::int64_t count = std::min(chunk, before);
      const Array values = mirrored(x.at(before - offset + 1, count), x.at(before, 1), x.axis, odd);
      x.write(before - count, count, values);
      before -= count;
    }
    if (after > 0) {
      const std::int64_t count = std::min(chunk, after), end = x.total() - after;
      const Array values = mirrored(x.at(end - 1 + offset - count, count), x.at(end - 1, 1), x.axis, odd);
      x.write(end, count, values);
      after -= count;
    }
  }
}

void write_wrapped(const Axis& x, std::int64_t n) {
  std::int64_t before = x.width.before, after = x.width.after;
  while (before > 0 || after > 0) {
    const std::int64_t end = x.total() - after, period = (end - before) / n * n;
    const std::int64_t left = std::min(period, before), right = std::min(period, after);
    if (left != 0) x.write(before - left, left, x.at(before + period - left, left));
    if (right != 0) x.write(end, right, x.at(end - period, right));
    before -= left;
    after -= right;
  }
}

void write_axis(const Axis& x, std::int64_t n, const PadArgs& args) {
  const auto d = static_cast<std::size_t>(x.axis);
  if (args.mode == "edge") return write_edges(x);
  if (args.mode == "wrap") return write_wrapped(x, n);
  if (args.mode == "reflect" || args.mode == "symmetric")
    return write_reflected(x, n, args.mode == "symmetric", args.odd);
  if (args.mode == "linear_ramp") return write_ramps(x, args.values[d]);
  write_statistics(x, args.lengths.empty() ? StatLengths() : args.lengths[d], args.mode);
}

void check_empty_axes(const Array& a, const std::vector<PadWidth>& widths) {
  for (int d = 0; d < a.ndim(); ++d) {
    if (a.shape()[d] != 0 || !has_border(widths[static_cast<std::size_t>(d)])) continue;
    throw ValueError("cuprum.pad: can't extend empty axis " + std::to_string(d) +
                     " using modes other than 'constant' or 'empty'");
  }
}

void check_lengths(const PadArgs& args) {
  if (args.mode != "maximum" && args.mode != "minimum") return;
  for (const StatLengths& pair : args.lengths) {
    if (pair[0] == 0 || pair[1] == 0)
      throw ValueError("cuprum.pad: stat_length of 0 yields no value for padding");
  }
}

constexpr const char* kModes[] = {"constant", "edge",    "empty",   "linear_ramp", "maximum", "mean",
                                  "median",   "minimum", "reflect", "symmetric",   "wrap"};

}  // namespace

Array pad(const Array& a, const std::vector<PadWidth>& widths, const PadArgs& given) {
  PadArgs args = given;
  if (std::find(std::begin(kModes), std::end(kModes), args.mode) == std::end(kModes))
    throw ValueError("cuprum.pad: mode '" + args.mode + "' is not supported");
  for (const PadWidth& w : widths) {
    if (w.before < 0 || w.after < 0) throw ValueError("cuprum.pad: index can't contain negative values");
  }
  if (args.values.empty()) args.values.assign(widths.size(), {zero(), zero()});
  if (args.mode == "constant") return with_constants(a, widths, args.values);
  const Array padded = enlarged(a, widths);
  if (args.mode == "empty") return padded;
  if (a.size() == 0) {
    check_empty_axes(a, widths);
    return padded;
  }
  check_lengths(args);
  for (int d = 0; d < a.ndim(); ++d) {
    const PadWidth& width = widths[static_cast<std::size_t>(d)];
    if (has_border(width)) write_axis({inside(padded, a, widths, d + 1), d, width}, a.shape()[d], args);
  }
  return padded;
}

}  // namespace cuprum::ops
