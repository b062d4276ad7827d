#include "number_rows.h"

#include <cstring>
#include <memory>
#include <stdexcept>
#include <type_traits>

#include "containers.h"
#include "core/element.h"
#include "errors.h"
#include "expr/engine.h"
#include "function.h"
#include "host.h"
#include "ndarray.h"
#include "ops/manipulate.h"
#include "ops/support.h"

namespace cuprum::python {

namespace {

bool is_row(PyObject* o) { return PyList_CheckExact(o) || PyTuple_CheckExact(o); }

/// Reads nested lists from the first number on: it decides how deep they are, and of which kind the others must be.
class RectangleReader {
 public:
  bool read(PyObject* list) {
    const auto depth = shape.size();
    const Items items(list);
    const Py_ssize_t n = items.size();
    shape.push_back(n);
    return n > 0 && depth < kMaxDims && read_items(items, depth);
  }

  Dims shape;
  SmallVector<std::uint64_t, 16> words;  // of float64 or int64
  dtype type = dtype::bool_;             // not known yet

 private:
  bool read_items(const Items& items, std::size_t depth) {
    const Py_ssize_t n = items.size();
    for (Py_ssize_t i = 0; i < n; ++i) {
      PyObject* item = items[i];  // nothing here runs code that could change the list
      if (is_row(item) ? !read_row(item, depth + 1) : depth + 1 != shape.size() || !read_number(item))
        return false;
    }
    return true;
  }

  bool read_row(PyObject* row, std::size_t depth) {
    if (depth == shape.size()) return words.empty() && read(row);
    const Items items(row);
    return items.size() == shape[depth] && read_items(items, depth);
  }

  bool read_number(PyObject* o) {
    std::uint64_t word;
    if (PyFloat_CheckExact(o)) {
      const double number = PyFloat_AS_DOUBLE(o);
      std::memcpy(&word, &number, sizeof word);
      return add(word, dtype::float64);
    }
    if (!PyLong_CheckExact(o)) return Py_TYPE(o) == ndarray_type && read_value(contents(o).array());
    int overflow = 0;
    word = static_cast<std::uint64_t>(PyLong_AsLongLongAndOverflow(o, &overflow));
    return overflow == 0 && add(word, dtype::int64);
  }

  /// A value that has been computed here: [x * 2, y * 2].
  bool read_value(const Array& a) {
    if (!a.is_number() || &a.backend() != &default_backend()) return false;
    const Scalar number = a.number();
    if (number.type != dtype::float64 && number.type != dtype::int64) return false;
    std::uint64_t word;
    std::memcpy(&word, number.bytes, sizeof word);
    return add(word, number.type);
  }

  bool add(std::uint64_t word, dtype t) {
    if (words.empty()) type = t;
    words.push_back(word);
    return type == t;
  }
};

template <class T>
nb::object number_at(const std::byte* data) {
  T v;
  std::memcpy(&v, data, sizeof v);
  if constexpr (std::is_integral_v<T>) {
    return nb::int_(v);
  } else if constexpr (kernels::complex_number<T>) {
    return checked(PyComplex_FromDoubles(static_cast<double>(v.re), static_cast<double>(v.im)));
  } else if constexpr (std::is_floating_point_v<T>) {
    return nb::float_(v);
  } else {
    throw std::logic_error("cuprum: halves are converted before");
  }
}
template <>
nb::object number_at<bool>(const std::byte* data) {
  return nb::bool_(*data != std::byte{0});
}

/// The list of the rows that begin at `data`, which moves behind them.
template <class T>
nb::object rows_of(const Dims& shape, std::size_t depth, const std::byte*& data) {
  const nb::object list = checked(PyList_New(shape[depth]));
  for (std::int64_t i = 0; i < shape[depth]; ++i) {
    nb::object item;
    if (depth + 1 < shape.size()) {
      item = rows_of<T>(shape, depth + 1, data);
    } else {
      item = number_at<T>(data);
      data += sizeof(T);
    }
    PyList_SET_ITEM(list.ptr(), i, item.release().ptr());
  }
  return list;
}

}  // namespace

std::optional<Array> array_of_numbers(PyObject* rows) {
  RectangleReader rectangle;
  if (!is_row(rows) || !rectangle.read(rows)) return std::nullopt;
  if (rectangle.type == dtype::int64) {
    const auto* const integers = reinterpret_cast<const std::int64_t*>(rectangle.words.data());
    const Array line = ops::from_integers({integers, rectangle.words.size()}, default_backend());
    return rectangle.shape.size() == 1 ? line : ops::reshape(line, rectangle.shape);
  }
  Array made = make_array(place_of_new(default_backend(), rectangle.words.size() * sizeof(double)),
                          dtype::float64, rectangle.shape);
  upload(made, rectangle.words.data());
  return made;
}

nb::object numbers_of(const Array& a) {
  if (a.ndim() == 0) return element_of(a);
  if (a.type() == dtype::float16 || a.type() == dtype::bfloat16)
    return numbers_of(record_cast(a, dtype::float32));
  const auto bytes = std::make_unique<std::byte[]>(a.nbytes());
  if (a.size() != 0) copy_to_host(a, bytes.get());
  const std::byte* data = bytes.get();
  return kernels::with_element(a.type(),
                               [&](auto zero) { return rows_of<decltype(zero)>(a.shape(), 0, data); });
}

}  // namespace cuprum::python
