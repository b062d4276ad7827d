// Joining arrays and taking them apart: concatenate stack vstack hstack dstack column_stack, split array_split hsplit vsplit
// dsplit unstack
#include "errors.h"
#include "function.h"
#include "ops/join.h"
#include "ops/manipulate.h"
#include "ops/take_apart.h"

namespace cuprum::python {

namespace {

// -- Joining --------------------------------------------------------------------------------------------

/// Joining into a real dtype drops imaginary parts.
void warn_of_joined(const ArraySequence& arrays, PyObject* out, PyObject* type, const char* function) {
  const Array* target = out_argument(out, function);
  const auto to = target ? std::optional(target->type()) : to_optional_dtype(type, function);
  if (!to) return;
  for (const Array& a : arrays.arrays()) warn_of_lost_imaginary(a.type(), *to);
}

PyObject* concatenate(PyObject* const* args) {
  ArraySequence arrays(args[0], "concatenate");
  const auto axis = axis_argument(args[1], "concatenate", 0);
  if (!axis) arrays.promote_numbers();
  const std::string casting = text_argument(args[4], "concatenate", "casting", "same_kind");
  if (casting == "unsafe") warn_of_joined(arrays, args[2], args[3], "concatenate");
  return deliver(ops::concatenate(arrays.arrays(), axis, out_argument(args[2], "concatenate"),
                                  to_optional_dtype(args[3], "concatenate"), casting.c_str()),
                 args[2]);
}

PyObject* stack(PyObject* const* args) {
  const ArraySequence arrays(args[0], "stack");
  const std::string casting = text_argument(args[4], "stack", "casting", "same_kind");
  if (casting == "unsafe") warn_of_joined(arrays, args[2], args[3], "stack");
  return deliver(
      ops::stack(arrays.arrays(), int_argument(args[1], "stack", "axis", 0), out_argument(args[2], "stack"),
                 to_optional_dtype(args[3], "stack"), casting.c_str()),
      args[2]);
}

/// What can be read only once is no sequence.
ArraySequence stacked_argument(PyObject* o, const char* function) {
  if (!is_ndarray(o) && !PySequence_Check(o)) {
    throw TypeError(
        std::string("cuprum.") + function +
        ": arrays to stack must be passed as a \"sequence\" type such as list or tuple, given a " +
        type_name(o));
  }
  return ArraySequence(o, function);
}

template <Name kName, Array (*join)(std::span<const Array>, const ops::JoinArgs&)>
PyObject* stack_with_dtype(PyObject* const* args) {
  const ArraySequence arrays = stacked_argument(args[0], kName);
  const std::string casting = text_argument(args[2], kName, "casting", "same_kind");
  if (casting == "unsafe") warn_of_joined(arrays, nullptr, args[1], kName);
  return wrap_raw(join(arrays.arrays(), {to_optional_dtype(args[1], kName), casting.c_str()}));
}

template <Name kName, Array (*join)(std::span<const Array>)>
PyObject* stack_plainly(PyObject* const* args) {
  return wrap_raw(join(stacked_argument(args[0], kName).arrays()));
}

constinit Function kConcatenate = {"concatenate",
                                   "arrays, /, axis=0, out=None, *, dtype=None, casting='same_kind'",
                                   &concatenate, "Arrays joined along an axis that they have."};
constinit Function kStack = {"stack", "arrays, axis=0, out=None, *, dtype=None, casting='same_kind'", &stack,
                             "Arrays joined along a new axis."};
constinit Function kVstack = {"vstack", "tup, *, dtype=None, casting='same_kind'",
                              &stack_with_dtype<"vstack", &ops::vstack>, "Arrays one above the other."};
constinit Function kHstack = {"hstack", "tup, *, dtype=None, casting='same_kind'",
                              &stack_with_dtype<"hstack", &ops::hstack>, "Arrays side by side."};
constinit Function kDstack = {"dstack", "tup", &stack_plainly<"dstack", &ops::dstack>,
                              "Arrays behind each other."};
constinit Function kColumnStack = {"column_stack", "tup", &stack_plainly<"column_stack", &ops::column_stack>,
                                   "Vectors as the columns of a matrix."};

// -- Taking apart ---------------------------------------------------------------------------------------

/// Is it a sequence of positions to cut at, not a number of sections? Arrays without dimensions are numbers.
bool has_positions(PyObject* o) {
  if (!PySequence_Check(o)) return !PyIndex_Check(o);
  const Py_ssize_t length = PySequence_Size(o);
  PyErr_Clear();
  return length >= 0;
}

PyObject* array_split(PyObject* const* args) {
  const ArrayArgument a(args[0], "array_split", 1);
  const std::int64_t axis = int_argument(args[2], "array_split", "axis", 0);
  if (has_positions(args[1]))
    return to_list(ops::split(*a, integers_argument(args[1], "array_split", "indices"), axis), args[0]);
  const std::int64_t sections = to_int(args[1], "array_split", "indices_or_sections");
  normalize_axis("array_split", axis, a->ndim());
  return to_list(ops::array_split(*a, sections, axis), args[0]);
}

/// Views by `split`, a function of the array and its sections.
template <class F>
PyObject* split_by(PyObject* const* args, const char* function, F&& split) {
  const ArrayArgument a(args[0], function, 1);
  if (has_positions(args[1])) {
    const Dims positions = integers_argument(args[1], function, "indices");
    return to_list(split(*a, ops::Sections{0, &positions}), args[0]);
  }
  const std::int64_t count = to_int(args[1], function, "indices_or_sections");
  if (count == 0) {  // Python's error, once everything else has been found right
    split(*a, ops::Sections{1});
    PyErr_Format(PyExc_ZeroDivisionError, "cuprum.%s: integer modulo by zero: no array has 0 parts",
                 function);
    throw_python_error();
  }
  return to_list(split(*a, ops::Sections{count}), args[0]);
}

PyObject* split(PyObject* const* args) {
  const std::int64_t axis = int_argument(args[2], "split", "axis", 0);
  return split_by(args, "split", [&](const Array& a, const ops::Sections& sections) {
    return ops::split_evenly("split", a, sections, axis);
  });
}

template <Name kName, std::vector<Array> (*split)(const Array&, const ops::Sections&)>
PyObject* split_axis(PyObject* const* args) {
  return split_by(args, kName, split);
}

PyObject* unstack(PyObject* const* args) {
  const ArrayArgument x(args[0], "unstack", 1);
  return to_tuple(ops::unstack(*x, int_argument(args[1], "unstack", "axis", 0)), args[0]);
}

constinit Function kSplit = {"split", "ary, indices_or_sections, axis=0", &split, "Views of equal parts."};
constinit Function kArraySplit = {"array_split", "ary, indices_or_sections, axis=0", &array_split,
                                  "Views of parts that are as equal as possible."};
constinit Function kHsplit = {"hsplit", "ary, indices_or_sections", &split_axis<"hsplit", &ops::hsplit>,
                              "Parts along the second axis, of a vector along its only one."};
constinit Function kVsplit = {"vsplit", "ary, indices_or_sections", &split_axis<"vsplit", &ops::vsplit>,
                              "Parts along the first axis."};
constinit Function kDsplit = {"dsplit", "ary, indices_or_sections", &split_axis<"dsplit", &ops::dsplit>,
                              "Parts along the third axis."};
constinit Function kUnstack = {"unstack", "x, /, *, axis=0", &unstack, "The slices along an axis."};

}  // namespace

void bind_joining_functions(nb::module_& m) {
  add_functions(m, {entry<kConcatenate>(), entry<kStack>(), entry<kVstack>(), entry<kHstack>(),
                    entry<kDstack>(), entry<kColumnStack>(), entry<kSplit>(), entry<kArraySplit>(),
                    entry<kHsplit>(), entry<kVsplit>(), entry<kDsplit>(), entry<kUnstack>()});
}

}  // namespace cuprum::python
