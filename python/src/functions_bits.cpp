// Bits to bytes and back: packbits unpackbits
#include "errors.h"
#include "function.h"
#include "ops/bits.h"

namespace cuprum::python {

namespace {

std::string order_of_bits(PyObject* o, const char* function) {
  if (o && !PyUnicode_Check(o)) {
    throw TypeError(std::string("cuprum.") + function + ": argument 'bitorder' must be str, not " +
                    type_name(o));
  }
  return o ? to_utf8(o) : "big";
}

/// None: nullopt. What is no integer is refused in Python's own words, as NumPy does here.
std::optional<std::int64_t> whole_argument(PyObject* o, const char* function, const char* parameter) {
  if (!given(o)) return std::nullopt;
  const nb::object number = nb::steal(PyNumber_Index(o));
  if (!number.is_valid()) throw_named_error(function, parameter);
  return to_int(number.ptr(), function, parameter);
}

PyObject* packbits(PyObject* const* args) {
  const ArrayArgument a(args[0], "packbits", 1);
  return wrap_raw(
      ops::packbits(*a, whole_argument(args[1], "packbits", "axis"), order_of_bits(args[2], "packbits")));
}

PyObject* unpackbits(PyObject* const* args) {
  const ArrayArgument a(args[0], "unpackbits", 1);
  const std::optional<std::int64_t> count = whole_argument(args[2], "unpackbits", "count");
  return wrap_raw(ops::unpackbits(*a, whole_argument(args[1], "unpackbits", "axis"), count,
                                  order_of_bits(args[3], "unpackbits")));
}

constinit Function kPackbits = {"packbits", "a, /, axis=None, bitorder='big'", &packbits,
                                "Eight truth values to a byte."};
constinit Function kUnpackbits = {"unpackbits", "a, /, axis=None, count=None, bitorder='big'", &unpackbits,
                                  "The bits of bytes as zeros and ones."};

}  // namespace

void bind_bit_functions(nb::module_& m) { add_functions(m, {entry<kPackbits>(), entry<kUnpackbits>()}); }

}  // namespace cuprum::python
