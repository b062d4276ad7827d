#include "cuprum/printing.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <complex>
#include <cstring>
#include <functional>
#include <ostream>

#include "api/handle.h"
#include "core/cast.h"
#include "cuprum/cuprum.h"
#include "ops/join.h"

namespace cuprum {

namespace {

using Options = print_options;

// -- Numbers --------------------------------------------------------------------------------------------

/// A finite number in decimal: digits before and behind the point, and the exponent where it has one.
struct Decimal {
  std::string whole, fraction, exponent;  // whole has the sign, exponent its own ("+08")
};

/// The fewest digits that are the number in its own precision.
template <class T>
std::string shortest(T x, std::chars_format format) {
  char text[512];
  const auto end = std::to_chars(text, text + sizeof text, x, format);
  return {text, end.ptr};
}

void drop_zeros(std::string& digits) { digits.erase(digits.find_last_not_of('0') + 1); }

/// `format` and at most `precision` digits behind the point, without zeros at the end.
template <class T>
Decimal decimal(T x, std::chars_format format, int precision) {
  std::string text = shortest(x, format);
  const auto fraction_of = [](const std::string& s) {
    const std::size_t point = s.find('.');
    return point == std::string::npos ? 0 : static_cast<int>(std::min(s.find('e'), s.size()) - point - 1);
  };
  if (fraction_of(text) > precision) {
    char rounded[512];
    const auto end = std::to_chars(rounded, rounded + sizeof rounded, x, format, precision);
    text.assign(rounded, end.ptr);
  }
  Decimal d;
  const std::size_t e = std::min(text.find('e'), text.size()), point = std::min(text.find('.'), e);
  d.whole = text.substr(0, point);
  d.fraction = point < e ? text.substr(point + 1, e - point - 1) : "";
  d.exponent = e < text.size() ? text.substr(e + 1) : "";
  drop_zeros(d.fraction);
  return d;
}

/// A number by itself, as Python writes it: in full, with an exponent where it is very large or very small.
template <class T>
std::string number_text(T x) {
  if (!std::isfinite(x)) return std::isnan(x) ? "nan" : x < 0 ? "-inf" : "inf";
  const double size = std::abs(static_cast<double>(x));
  if (size != 0 && (size >= 1e16 || size < 1e-4)) return shortest(x, std::chars_format::scientific);
  const std::string text = shortest(x, std::chars_format::fixed);
  return text.find('.') == std::string::npos ? text + ".0" : text;
}

/// A complex number by itself: its parts without a point where they are whole, in parentheses if there is a real one.
template <class T>
std::string number_text(std::complex<T> z) {
  const auto part = [](T x) {
    const std::string text = number_text(x);
    return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
  };
  const std::string imaginary = part(z.imag()) + 'j';
  if (z.real() == 0 && !std::signbit(z.real())) return imaginary;
  return '(' + part(z.real()) + (imaginary[0] == '-' ? "" : "+") + imaginary + ')';
}

/// How all floats of an array are written: in one form, with their points below each other.
template <class T>
class FloatFormat {
 public:
  FloatFormat(const std::vector<T>& values, const Options& options, bool plus, int cutoff_digits)
      : precision_(options.precision), plus_(plus) {
    double largest = 0, smallest = INFINITY;
    bool any = false, all_finite = true, negative_infinity = false;
    for (const T v : values) {
      if (!std::isfinite(v)) {
        all_finite = false;
        negative_infinity |= std::isinf(v) && v < 0;
        continue;
      }
      any = true;
      if (v == 0) continue;
      largest = std::max(largest, std::abs(static_cast<double>(v)));
      smallest = std::min(smallest, std::abs(static_cast<double>(v)));
    }
    exponents_ = largest != 0 && (largest >= std::pow(10.0, std::min(8, cutoff_digits)) ||
                                  (!options.suppress && (smallest < 0.0001 || largest / smallest > 1000.0)));
    for (const T v : values)
      if (std::isfinite(v)) measure(v);
    if (any && exponents_) right_ += 2 + exponent_;  // only names of what is not finite ask for it
    if (all_finite) return;
    const int point = any ? right_ + 1 : 1;
    left_ = std::max({left_, 3 - point, 3 + (negative_infinity || plus_) - point});
  }

  std::string operator()(T v) const {
    if (!std::isfinite(v)) {
      const std::string word = std::isnan(v) ? (plus_ ? "+nan" : "nan")
                               : v < 0       ? "-inf"
                               : plus_       ? "+inf"
                                             : "inf";
      return std::string(std::max<int>(0, left_ + right_ + 1 - static_cast<int>(word.size())), ' ') + word;
    }
    Decimal d = written(v);
    std::string text(std::max<int>(0, left_ - static_cast<int>(d.whole.size())), ' ');
    text += d.whole + '.' + d.fraction;
    if (!exponents_) return text + std::string(right_ - d.fraction.size(), ' ');
    text += std::string(fraction_ - d.fraction.size(), '0') + 'e' + d.exponent[0];
    return text + std::string(exponent_ + 1 - d.exponent.size(), '0') + d.exponent.substr(1);
  }

 private:
  Decimal written(T v) const {
    Decimal d = decimal(v, exponents_ ? std::chars_format::scientific : std::chars_format::fixed, precision_);
    if (plus_ && !std::signbit(v)) d.whole.insert(0, 1, '+');
    return d;
  }
  void measure(T v) {
    const Decimal d = written(v);
    left_ = std::max(left_, static_cast<int>(d.whole.size()));
    fraction_ = right_ = std::max(fraction_, static_cast<int>(d.fraction.size()));
    if (exponents_) exponent_ = std::max(exponent_, static_cast<int>(d.exponent.size()) - 1);
  }

  int precision_;
  bool plus_;
  bool exponents_ = false;
  int left_ = 0;      // characters before the point
  int fraction_ = 0;  // digits behind it
  int right_ = 0;     // all characters behind it
  int exponent_ = 0;  // digits of the exponent
};

// -- Arrays ---------------------------------------------------------------------------------------------

using Format = std::function<std::string(std::int64_t)>;  // of an element, by its position in C order

template <class T>
std::vector<T> values_of(const array& a, dtype type) {
  std::vector<T> values(static_cast<std::size_t>(a.size()));
  a.astype(type).to_host(values.data());
  return values;
}

template <class T>
Format integers(const array& a, dtype type) {
  auto values = values_of<T>(a, type);
  std::size_t width = 0;
  for (const T v : values) width = std::max(width, std::to_string(v).size());
  return [values = std::move(values), width](std::int64_t i) {
    const std::string text = std::to_string(values[static_cast<std::size_t>(i)]);
    return std::string(width - text.size(), ' ') + text;
  };
}

// Digits that a dtype has for certain: from as many on, its integers are no longer exact, and exponents say so.
int digits_of(dtype type) {
  switch (type) {
    case dtype::float16: return 3;
    case dtype::bfloat16: return 2;
    case dtype::float32:
    case dtype::complex64: return 6;
    default: return 15;
  }
}

template <class T>
Format floats(const array& a, const Options& options) {
  auto values = values_of<T>(a, dtype_of<T>);
  const FloatFormat<T> format(values, options, false, digits_of(a.type()));
  return [values = std::move(values), format](std::int64_t i) {
    return format(values[static_cast<std::size_t>(i)]);
  };
}

template <class T>
Format complexes(const array& a, const Options& options) {
  const auto values = values_of<std::complex<T>>(a, a.type());
  std::vector<T> re, im;
  for (const auto& v : values) {
    re.push_back(v.real());
    im.push_back(v.imag());
  }
  const FloatFormat<T> real(re, options, false, digits_of(a.type()));
  const FloatFormat<T> imag(im, options, true, digits_of(a.type()));
  return [re = std::move(re), im = std::move(im), real, imag](std::int64_t i) {
    std::string text = imag(im[static_cast<std::size_t>(i)]);
    text.insert(text.find_last_not_of(' ') + 1, 1, 'j');
    return real(re[static_cast<std::size_t>(i)]) + text;
  };
}

Format format_of(const array& a, const Options& options) {
  const dtype type = a.type();
  if (type == dtype::bool_) {
    std::vector<std::uint8_t> values = values_of<std::uint8_t>(a, dtype::uint8);
    const char* yes = a.ndim() == 0 ? "True" : " True";
    return [values = std::move(values), yes](std::int64_t i) -> std::string {
      return values[static_cast<std::size_t>(i)] ? yes : "False";
    };
  }
  if (type == dtype::uint64) return integers<std::uint64_t>(a, type);
  if (is_integer(type)) return integers<std::int64_t>(a, dtype::int64);
  if (type == dtype::complex64) return complexes<float>(a, options);
  if (type == dtype::complex128) return complexes<double>(a, options);
  return type == dtype::float64 ? floats<double>(a, options) : floats<float>(a, options);
}

/// Rows of words in brackets, broken into lines; `shape` is that of what is shown.
class Layout {
 public:
  Layout(const Dims& full, const Dims& shown, const Format& format, const Options& options,
         std::string separator)
      : full_(full), shown_(shown), format_(format), options_(options), separator_(std::move(separator)) {}

  std::string rows(std::size_t axis, std::int64_t position, const std::string& indent, int width) const {
    if (axis == shown_.size()) return format_(position);
    const std::string text = axis + 1 == shown_.size() ? line(axis, position, indent, width)
                                                       : block(axis, position, indent, width);
    return '[' + text.substr(std::min(indent.size(), text.size())) + ']';
  }

 private:
  bool cut(std::size_t axis) const { return shown_[axis] < full_[axis]; }
  std::string item(std::size_t axis, std::int64_t position, std::int64_t i, const std::string& indent,
                   int width) const {
    return rows(axis + 1, position * shown_[axis] + i, indent + ' ', width - 1);
  }

  std::string line(std::size_t axis, std::int64_t position, const std::string& indent, int width) const {
    std::string text, row = indent;
    const std::size_t room = static_cast<std::size_t>(std::max(0, width - 1));
    const auto add = [&](const std::string& word) {
      if (row.size() + word.size() > room && row.size() > indent.size()) {
        row.erase(row.find_last_not_of(' ') + 1);
        text += row + '\n';
        row = indent;
      }
      row += word;
    };
    for (std::int64_t i = 0; i < shown_[axis]; ++i) {
      if (i > 0) row += separator_;
      if (cut(axis) && i == options_.edgeitems) {
        add("...");
        row += separator_;
      }
      add(item(axis, position, i, indent, width));
    }
    return text + row;
  }

  std::string block(std::size_t axis, std::int64_t position, const std::string& indent, int width) const {
    std::string end = separator_.substr(0, separator_.find_last_not_of(' ') + 1);
    end.append(shown_.size() - axis - 1, '\n');
    std::string text;
    for (std::int64_t i = 0; i < shown_[axis]; ++i) {
      if (i > 0) text += end;
      if (cut(axis) && i == options_.edgeitems) text.append(indent).append("...").append(end);
      text += indent + item(axis, position, i, indent, width);
    }
    return text;
  }

  const Dims& full_;
  const Dims& shown_;
  const Format& format_;
  const Options& options_;
  std::string separator_;
};

/// The corners of a long array.
array ends(array a, int count) {
  for (int axis = 0; axis < a.ndim(); ++axis) {
    const std::int64_t n = a.implementation().shape()[static_cast<std::size_t>(axis)];
    if (n <= 2 * count) continue;
    const std::vector<array> parts = split(a, {count, n - count}, axis);
    a = concatenate({parts[0], parts[2]}, axis);
  }
  return a;
}

std::string text_of(const array& a, const Options& options, const std::string& separator,
                    std::size_t prefix) {
  if (a.size() == 0) return "[]";
  const array shown = a.size() > options.threshold ? ends(a, options.edgeitems) : a;
  const Format format = format_of(shown, options);
  const Layout layout(a.implementation().shape(), shown.implementation().shape(), format, options, separator);
  return layout.rows(0, 0, std::string(prefix + 1, ' '), options.linewidth);
}

}  // namespace

std::string array_str(const array& a, const print_options& options) {
  if (a.ndim() == 0 && a.type() == dtype::complex64) return number_text(a.item<std::complex<float>>());
  if (a.ndim() == 0 && a.type() == dtype::complex128) return number_text(a.item<std::complex<double>>());
  if (a.ndim() == 0 && a.type() == dtype::float64) return number_text(a.item<double>());
  if (a.ndim() == 0 && is_floating(a.type())) return number_text(a.item<float>());
  return text_of(a, options, " ", 0);
}

std::string array_repr(const array& a, const print_options& options) {
  const std::string head = "array(";
  std::string text = head + text_of(a, options, ", ", head.size());
  const dtype type = a.type();
  const bool plain =
      type == dtype::float64 || type == dtype::int64 || type == dtype::bool_ || type == dtype::complex128;
  if (a.size() == 0 && !(a.ndim() == 1)) {
    text += ", shape=(";
    for (const std::int64_t n : a.shape()) text += std::to_string(n) + ", ";
    text.resize(text.size() - 2);
    text += ')';
  }
  if (!plain || (a.size() == 0 && type != dtype::float64)) text += std::string(", dtype=") + name(type);
  return text + ')';
}

std::ostream& operator<<(std::ostream& stream, const array& a) { return stream << array_str(a); }
std::ostream& operator<<(std::ostream& stream, dtype type) { return stream << name(type); }

}  // namespace cuprum
