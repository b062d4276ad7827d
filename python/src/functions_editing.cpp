// Arrays with other lengths and contents: pad delete insert trimmed_spans block diag fill_diagonal vander
#include "errors.h"
#include "function.h"
#include "index_argument.h"
#include "numpy_interop.h"
#include "ops/block.h"
#include "ops/diagonals.h"
#include "ops/edit.h"
#include "ops/pad.h"

namespace cuprum::python {

namespace {

// -- pad ------------------------------------------------------------------------------------------------

/// Python's list of pairs, one for each axis: the package has made it out of what was given.
template <class Pair, class F>
std::vector<Pair> pairs_argument(PyObject* o, F&& item) {
  std::vector<Pair> pairs;
  if (!given(o)) return pairs;
  for (nb::handle pair : nb::borrow<nb::list>(o))
    pairs.push_back({item(nb::object(pair[0]).ptr()), item(nb::object(pair[1]).ptr())});
  return pairs;
}

PyObject* pad(PyObject* const* args) {
  const ArrayArgument a(args[0], "pad", 1);
  const auto width = [](PyObject* o) { return to_int(o, "pad", "pad_width"); };
  const auto length = [](PyObject* o) {
    return o == Py_None ? std::nullopt : std::optional(to_int(o, "pad", "stat_length"));
  };
  const auto value = [](PyObject* o) { return to_value(o, "pad", 0); };
  ops::PadArgs options;
  options.mode = text_argument(args[2], "pad", "mode", "constant");
  options.values = pairs_argument<ops::PadValues>(args[3], value);
  options.lengths = pairs_argument<ops::StatLengths>(args[4], length);
  options.odd = flag_argument(args[5]);
  return wrap_raw(ops::pad(*a, pairs_argument<ops::PadWidth>(args[1], width), options));
}

constinit Function kPad = {
    "pad", "array, pad_width, mode='constant', values=None, stat_length=None, odd=False", &pad,
    "An array with a border around it, all widths and values in pairs.", ResultClass::plain};

// -- delete, insert -------------------------------------------------------------------------------------

/// Where an array is edited: an integer, a slice, or an array of integers or bools.
class PlaceArgument {
 public:
  PlaceArgument(PyObject* o, const char* function) {
    const bool is_number = PyLong_Check(o) || is_numpy_scalar(o);
    if (PySlice_Check(o)) {
      Py_ssize_t start, stop, step;
      if (PySlice_Unpack(o, &start, &stop, &step) < 0) throw_python_error();
      item_ = ops::IndexItem::range(start, stop, step);
    } else if (is_number && PyIndex_Check(o) && !PyBool_Check(o)) {
      // What no 64 bits hold is out of bounds of every axis, as the largest number that they hold.
      item_ = ops::IndexItem::at(PyNumber_AsSsize_t(o, nullptr));
      if (PyErr_Occurred()) throw_named_error(function, "obj");
    } else {
      array_.emplace(o, function);
      array_->make_integer();
      item_ = ops::IndexItem::by(**array_);
    }
  }
  const ops::IndexItem& operator*() const { return item_; }

 private:
  ops::IndexItem item_;
  std::optional<IndexArgument> array_;
};

PyObject* delete_items(PyObject* const* args) {
  const ArrayArgument a(args[0], "delete", 1);
  const std::optional<std::int64_t> axis = axis_argument(args[2], "delete");
  if (axis) normalize_axis("delete", *axis, a->ndim());  // before what may be wrong with the positions
  return wrap_raw(ops::delete_items(*a, *PlaceArgument(args[1], "delete"), axis));
}

PyObject* insert(PyObject* const* args) {
  nb::object keep;
  const ArrayArgument a(args[0], "insert", 1);
  const std::optional<std::int64_t> axis = axis_argument(args[3], "insert");
  if (axis) normalize_axis("insert", *axis, a->ndim());
  const PlaceArgument where(args[1], "insert");
  if (is_numpy_array(args[2])) admit_host_array(args[2], HostRole::parameter, "insert", 3);
  return wrap_raw(ops::insert(*a, *where, stored_value(args[2], a->type(), "insert", &keep), axis));
}

/// A tuple of slices: a list is cut by them as an array is. None of them: nothing is to be cut.
PyObject* trimmed_spans(PyObject* const* args) {
  const ArrayArgument a(args[0], "trim_zeros", 1);
  const std::optional<Dims> axes =
      given(args[2]) ? std::optional(to_dims(args[2], "trim_zeros", "axis")) : std::nullopt;
  const auto spans = ops::trimmed_spans(*a, text_argument(args[1], "trim_zeros", "trim", "fb"), axes);
  nb::list slices;
  if (axes && axes->empty()) return nb::make_tuple().release().ptr();
  for (const ops::Range& span : spans)
    slices.append(nb::slice(nb::int_(span.start), nb::int_(span.start + span.count), nb::none()));
  return checked(PyList_AsTuple(slices.ptr())).release().ptr();
}

constinit Function kDelete = {"delete", "arr, obj, axis=None", &delete_items,
                              "An array without the elements at given positions."};
constinit Function kInsert = {"insert", "arr, obj, values, axis=None", &insert,
                              "An array with values put in before given positions."};
constinit Function kTrimmedSpans = {"trimmed_spans", "filt, trim='fb', axis=None", &trimmed_spans,
                                    "The slices that leave out the zeros at the ends of the axes."};

// -- block ----------------------------------------------------------------------------------------------

/// Lists as they are nested; what contains itself ends as Python's recursions do.
ops::Blocks to_blocks(PyObject* o, std::vector<std::size_t>& way) {
  if (PyTuple_Check(o)) {
    throw TypeError("cuprum.block: " + ops::block_name(way) +
                    " is a tuple. Only lists can be used to arrange blocks, and tuples are not converted to "
                    "arrays");
  }
  ops::Blocks blocks;
  if (!PyList_Check(o)) {
    blocks.block = *ArrayArgument(o, "block", 1);
    return blocks;
  }
  if (Py_EnterRecursiveCall(" in cuprum.block")) throw_python_error();
  const nb::object items = checked(PyList_AsTuple(o));
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items.ptr()); ++i) {
    way.push_back(static_cast<std::size_t>(i));
    try {
      blocks.list.push_back(to_blocks(PyTuple_GET_ITEM(items.ptr(), i), way));
    } catch (...) {
      Py_LeaveRecursiveCall();
      throw;
    }
    way.pop_back();
  }
  Py_LeaveRecursiveCall();
  return blocks;
}

PyObject* block(PyObject* const* args) {
  std::vector<std::size_t> way;
  return wrap_raw(ops::block(to_blocks(args[0], way)));
}

constinit Function kBlock = {"block", "arrays", &block, "One array of nested lists of blocks.",
                             ResultClass::plain};

// -- Diagonals ------------------------------------------------------------------------------------------

PyObject* diag(PyObject* const* args) {
  const ArrayArgument v(args[0], "diag", 1);
  return wrap_from(ops::diag(*v, int_argument(args[1], "diag", "k", 0)), args[0]);
}

PyObject* fill_diagonal(PyObject* const* args) {
  nb::object keep;
  if (!is_ndarray(args[0]))
    throw TypeError("cuprum.fill_diagonal: argument 1 must be a cuprum array, not " + type_name(args[0]));
  const Array& a = contents(args[0]).array();
  ops::check_fill_diagonal(a);  // before what may be wrong with the value
  if (is_numpy_array(args[1])) admit_host_array(args[1], HostRole::parameter, "fill_diagonal", 2);
  ops::fill_diagonal(a, stored_value(args[1], a.type(), "fill_diagonal", &keep), flag_argument(args[2]));
  return Py_NewRef(Py_None);
}

PyObject* vander(PyObject* const* args) {
  const ArrayArgument x(args[0], "vander", 1);
  const std::optional<std::int64_t> columns =
      given(args[1]) ? std::optional(to_int(args[1], "vander", "N")) : std::nullopt;
  return wrap_raw(ops::vander(*x, columns, flag_argument(args[2])));
}

constinit Function kDiag = {"diag", "v, k=0", &diag,
                            "A diagonal of a matrix, or the matrix with a diagonal."};
constinit Function kFillDiagonal = {"fill_diagonal", "a, val, wrap=False", &fill_diagonal,
                                    "Stores values on the main diagonal."};
constinit Function kVander = {"vander", "x, N=None, increasing=False", &vander,
                              "The powers of the elements of a vector, a row for each.", ResultClass::plain};

}  // namespace

void bind_editing_functions(nb::module_& m) {
  add_functions(m, {entry<kPad>(), entry<kDelete>(), entry<kInsert>(), entry<kTrimmedSpans>(),
                    entry<kBlock>(), entry<kDiag>(), entry<kFillDiagonal>(), entry<kVander>()});
}

}  // namespace cuprum::python
