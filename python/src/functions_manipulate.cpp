// Shapes and axes, as methods of ndarray and as functions of the module:
//   reshape ravel flatten transpose matrix_transpose as_strided swapaxes moveaxis squeeze expand_dims broadcast_to
//   broadcast_arrays flip roll rollaxis repeat tile resize atleast_1d atleast_2d atleast_3d diagonal
#include "core/common_shape.h"
#include "errors.h"
#include "function.h"
#include "numpy_interop.h"
#include "ops/manipulate.h"
#include "ops/take_apart.h"

namespace cuprum::python {

namespace {

// -- Shape ----------------------------------------------------------------------------------------------

std::optional<bool> copy_argument(PyObject* o) {
  if (!given(o)) return std::nullopt;
  if (PyUnicode_Check(o)) {
    throw ValueError(
        "cuprum.reshape: strings are not allowed for 'copy' keyword. Use True/False/None instead.");
  }
  return to_flag(o);
}

PyObject* reshape(PyObject* const* args) {
  const ArrayArgument a(args[0], "reshape", 1);
  return wrap_from(ops::reshape(*a, to_shape(args[1], "reshape", true),
                                order_argument(args[2], "reshape", 'C'), copy_argument(args[3])),
                   args[0]);
}

/// a.reshape(2, 3) and a.reshape((2, 3)), with keywords.
PyObject* reshape_method(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* keywords) noexcept {
  return guarded([&] {
    PyObject* slots[4] = {self};
    for (Py_ssize_t i = 0; keywords && i < PyTuple_GET_SIZE(keywords); ++i) {
      PyObject* name = PyTuple_GET_ITEM(keywords, i);
      const bool order = PyUnicode_CompareWithASCIIString(name, "order") == 0;
      const bool copy = PyUnicode_CompareWithASCIIString(name, "copy") == 0;
      if (!order && !copy && PyUnicode_CompareWithASCIIString(name, "shape") != 0) {
        throw TypeError(std::string("reshape() got an unexpected keyword argument '") + to_utf8(name) + "'");
      }
      slots[order ? 2 : copy ? 3 : 1] = args[n + i];
    }
    nb::object shape;
    if (n == 1 && args[0] == Py_None) {  // as it is
      shape = from_dims(contents(self).array().shape());
      slots[1] = shape.ptr();
    } else if (n == 1) {
      slots[1] = args[0];
    } else if (n > 1) {
      shape = checked(PyTuple_New(n));
      for (Py_ssize_t i = 0; i < n; ++i) PyTuple_SET_ITEM(shape.ptr(), i, Py_NewRef(args[i]));
      slots[1] = shape.ptr();
    }
    if (!slots[1]) throw TypeError("reshape() takes exactly 1 argument (0 given)");
    return reshape(slots);
  });
}

PyObject* ravel(PyObject* const* args) {
  const ArrayArgument a(args[0], "ravel", 1);
  return wrap_from(ops::ravel(*a, order_argument(args[1], "ravel", 'C')), args[0]);
}

PyObject* flatten(PyObject* const* args) {
  return wrap_raw(ops::flatten(contents(args[0]).array(), order_argument(args[1], "flatten", 'C')));
}

PyObject* resize(PyObject* const* args) {
  const ArrayArgument a(args[0], "resize", 1);
  return wrap_raw(ops::resize(*a, to_dims(args[1], "resize")));
}

constinit Function kReshape = {"reshape", "a, /, shape, order='C', *, copy=None", &reshape,
                               "The same elements in another shape, as a view where possible."};
constinit Function kRavel = {"ravel", "a, order='C'", &ravel,
                             "The elements in one dimension, as a view where possible."};
constinit Function kFlatten = {"flatten", "a, order='C'", &flatten, "A copy in one dimension."};
constinit Function kResize = {"resize", "a, new_shape", &resize,
                              "A new array of any shape, repeating the elements as often as needed.",
                              ResultClass::plain};

// -- Axes -----------------------------------------------------------------------------------------------

PyObject* transpose(PyObject* const* args) {
  const ArrayArgument a(args[0], "transpose", 1);
  if (!given(args[1])) return wrap_from(ops::transpose(*a), args[0]);
  return wrap_from(ops::transpose(*a, to_dims(args[1], "transpose", "axes")), args[0]);
}

/// a.transpose(), a.transpose(1, 0), a.transpose((1, 0)).
PyObject* transpose_method(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* keywords) noexcept {
  return guarded([&] {
    PyObject* slots[2] = {self, n > 0 ? args[0] : nullptr};
    if (keywords && PyTuple_GET_SIZE(keywords) > 0) {
      throw TypeError("transpose() takes no keyword arguments");
    }
    if (n <= 1) return transpose(slots);
    nb::object axes = checked(PyTuple_New(n));
    for (Py_ssize_t i = 0; i < n; ++i) PyTuple_SET_ITEM(axes.ptr(), i, Py_NewRef(args[i]));
    slots[1] = axes.ptr();
    return transpose(slots);
  });
}

PyObject* matrix_transpose(PyObject* const* args) {
  const ArrayArgument a(args[0], "matrix_transpose", 1);
  return wrap_from(ops::matrix_transpose(*a), args[0]);
}

PyObject* swapaxes(PyObject* const* args) {
  const ArrayArgument a(args[0], "swapaxes", 1);
  return wrap_from(
      ops::swapaxes(*a, to_int(args[1], "swapaxes", "axis1"), to_int(args[2], "swapaxes", "axis2")), args[0]);
}

PyObject* moveaxis(PyObject* const* args) {
  const ArrayArgument a(args[0], "moveaxis", 1);
  return wrap_from(
      ops::moveaxis(*a, to_dims(args[1], "moveaxis", "source"), to_dims(args[2], "moveaxis", "destination")),
      args[0]);
}

PyObject* squeeze(PyObject* const* args) {
  const ArrayArgument a(args[0], "squeeze", 1);
  return wrap_from(ops::squeeze(*a, axes_argument(args[1], "squeeze")), args[0]);
}

PyObject* expand_dims(PyObject* const* args) {
  const ArrayArgument a(args[0], "expand_dims", 1);
  return wrap_from(ops::expand_dims(*a, to_dims(args[1], "expand_dims", "axis")), args[0]);
}

PyObject* flip(PyObject* const* args) {
  const ArrayArgument a(args[0], "flip", 1);
  return wrap_from(ops::flip(*a, axes_argument(args[1], "flip")), args[0]);
}

PyObject* diagonal(PyObject* const* args) {
  const ArrayArgument a(args[0], "diagonal", 1);
  return wrap_from(ops::diagonal(*a, int_argument(args[1], "diagonal", "offset", 0),
                                 int_argument(args[2], "diagonal", "axis1", 0),
                                 int_argument(args[3], "diagonal", "axis2", 1)),
                   args[0]);
}

template <int N>
PyObject* atleast(PyObject* const* args) {
  const ArrayArgument a(args[0], "atleast_nd", 1);
  if (a->ndim() >= N && is_ndarray(args[0])) return Py_NewRef(args[0]);
  return wrap_from(ops::atleast(*a, N), args[0]);
}

/// CuPy's ndarray.reduced_view: contiguous dimensions as one.
PyObject* reduced_view(PyObject* const* args) {
  const Array& a = contents(args[0]).array();
  return wrap_from(a.c_contiguous() ? ops::reshape(a, Dims{-1}) : a.view(a.shape(), a.strides()), args[0]);
}

PyObject* as_strided(PyObject* const* args) {
  const ArrayArgument a(args[0], "as_strided", 1);
  const Dims shape = given(args[1]) ? to_dims(args[1], "as_strided") : a->shape();
  const Dims strides = given(args[2]) ? to_dims(args[2], "as_strided", "strides")
                       : a->c_contiguous()
                           ? contiguous_strides(shape, static_cast<std::int64_t>(a->itemsize()))
                           : a->strides();
  return wrap_from(ops::as_strided(*a, shape, strides), args[0]);
}

constinit Function kTranspose = {"transpose", "a, axes=None", &transpose,
                                 "View with the dimensions in another order."};
constinit Function kAsStrided = {"as_strided", "x, shape=None, strides=None", &as_strided,
                                 "View of the memory of an array with any shape and strides."};
constinit Function kMatrixTranspose = {"matrix_transpose", "x, /", &matrix_transpose,
                                       "View with the last two dimensions exchanged."};
constinit Function kSwapaxes = {"swapaxes", "a, axis1, axis2", &swapaxes, "View with two axes exchanged."};
constinit Function kMoveaxis = {"moveaxis", "a, source, destination", &moveaxis,
                                "View with axes at other positions."};
constinit Function kSqueeze = {"squeeze", "a, axis=None", &squeeze, "View without axes of length one."};
constinit Function kExpandDims = {"expand_dims", "a, axis", &expand_dims,
                                  "View with new axes of length one."};
constinit Function kFlip = {"flip", "m, axis=None", &flip,
                            "View with the order of elements reversed along axes."};
constinit Function kDiagonal = {"diagonal", "a, offset=0, axis1=0, axis2=1", &diagonal,
                                "Read-only view of a diagonal."};
constinit Function kAtleast1d = {"atleast_1d", "a", &atleast<1>, "View with at least one dimension."};
constinit Function kAtleast2d = {"atleast_2d", "a", &atleast<2>, "View with at least two dimensions."};
constinit Function kAtleast3d = {"atleast_3d", "a", &atleast<3>, "View with at least three dimensions."};
constinit Function kReducedView = {"reduced_view", "a, dtype=None", &reduced_view,
                                   "View with as few dimensions as the layout allows."};

// -- Broadcasting, repeating, splitting -----------------------------------------------------------------

PyObject* broadcast_to(PyObject* const* args) {
  const ArrayArgument a(args[0], "broadcast_to", 1);
  return wrap_from(ops::broadcast_to(*a, to_shape(args[1], "broadcast_to", true)), args[0]);
}

/// Plain arrays, each a view of the array that it was made from.
PyObject* broadcast_arrays(PyObject* const* args) {
  const nb::object given = checked(PySequence_Tuple(args[0]));
  const auto results = ops::broadcast_arrays(ArraySequence(given.ptr(), "broadcast_arrays").arrays());
  nb::list views;
  for (std::size_t i = 0; i < results.size(); ++i) {
    PyObject* owner = PyTuple_GET_ITEM(given.ptr(), static_cast<Py_ssize_t>(i));
    const bool shares = is_ndarray(owner) && contents(owner).array().storage() == results[i].storage();
    views.append(
        nb::steal(shares ? wrap_view_as(Array(results[i]), owner, ndarray_type) : wrap_raw(results[i])));
  }
  return checked(PyList_AsTuple(views.ptr())).release().ptr();
}

PyObject* broadcast_shapes(PyObject* const* args) {
  std::vector<Dims> shapes;
  for (nb::handle shape : nb::borrow<nb::tuple>(args[0]))
    shapes.push_back(to_dims(shape.ptr(), "broadcast_shapes"));
  return from_dims(common_shape("broadcast_shapes", shapes)).release().ptr();
}

PyObject* roll(PyObject* const* args) {
  const ArrayArgument a(args[0], "roll", 1);
  const std::optional<Dims> axes =
      given(args[2]) ? std::optional(to_dims(args[2], "roll", "axis", PY_SSIZE_T_MAX)) : std::nullopt;
  return wrap_raw(ops::roll(*a, integers_argument(args[1], "roll", "shift"), axes));
}

/// The counts of repeat. NumPy takes 2.0 for 2, also in lists, but of arrays only what casts to int64 safely.
Dims counts_argument(PyObject* o) {
  if (PyFloat_CheckExact(o) || PyList_Check(o) || PyTuple_Check(o) || is_numpy_scalar(o))
    return integers_argument(as_ndarray(o, "repeat", dtype::int64).ptr(), "repeat", "repeats");
  if (is_ndarray(o) && !can_cast(contents(o).array().type(), dtype::int64, Casting::safe)) {
    throw TypeError(std::string("cuprum.repeat: Cannot cast array data from dtype('") +
                    name(contents(o).array().type()) +
                    "') to dtype('int64') according to the rule 'safe'; write repeats.astype('int64')");
  }
  return integers_argument(o, "repeat", "repeats");
}

PyObject* repeat(PyObject* const* args) {
  const ArrayArgument a(args[0], "repeat", 1);
  if (is_ndarray(args[1])) {  // counts that need not come to the host
    const ArrayArgument counts(args[1], "repeat", 2);
    if (counts->ndim() > 1) {
      throw ValueError("cuprum.repeat: object too deep for desired array: counts must be 1-d, given shape " +
                       to_string(counts->shape()));
    }
    if (counts->ndim() == 1 && can_cast(counts->type(), dtype::int64, Casting::safe))
      return wrap_raw(ops::repeat_by(*a, *counts, axis_argument(args[2], "repeat")));
  }
  return wrap_raw(ops::repeat(*a, counts_argument(args[1]), axis_argument(args[2], "repeat")));
}

PyObject* tile(PyObject* const* args) {
  const ArrayArgument a(args[0], "tile", 1);
  return wrap_raw(ops::tile(*a, integers_argument(args[1], "tile", "reps")));
}

constinit Function kBroadcastTo = {"broadcast_to", "array, shape, subok=False", &broadcast_to,
                                   "Read-only view with a broadcast shape."};
constinit Function kBroadcastArrays = {"broadcast_arrays", "args", &broadcast_arrays,
                                       "The arrays of a sequence, broadcast against each other."};
constinit Function kBroadcastShapes = {"broadcast_shapes", "args", &broadcast_shapes,
                                       "The shape to which arrays of the shapes of a tuple broadcast."};
constinit Function kRoll = {"roll", "a, shift, axis=None", &roll,
                            "Elements moved along axes, around the ends."};
constinit Function kRepeat = {"repeat", "a, repeats, axis=None", &repeat, "Each element repeated."};
constinit Function kTile = {"tile", "A, reps", &tile, "The whole array repeated along its axes."};

PyObject* rollaxis(PyObject* const* args) {
  const ArrayArgument a(args[0], "rollaxis", 1);
  return wrap_from(
      ops::rollaxis(*a, to_int(args[1], "rollaxis", "axis"), int_argument(args[2], "rollaxis", "start", 0)),
      args[0]);
}

constinit Function kRollaxis = {"rollaxis", "a, axis, start=0", &rollaxis,
                                "View with one axis at an earlier or later position."};

}  // namespace

void bind_manipulation_methods(NdarrayClass& c) {
  add_methods(c, {{&kReshape, &reshape_method, nullptr},
                  entry<kRavel>(),
                  entry<kFlatten>(),
                  {&kTranspose, &transpose_method, nullptr},
                  entry<kSwapaxes>(),
                  entry<kSqueeze>(),
                  entry<kDiagonal>(),
                  entry<kRepeat>(),
                  entry<kReducedView>()});
}

void bind_manipulation_functions(nb::module_& m) {
  add_functions(
      m, {entry<kReshape>(),         entry<kRavel>(),          entry<kResize>(),    entry<kTranspose>(),
          entry<kMatrixTranspose>(), entry<kAsStrided>(),      entry<kSwapaxes>(),  entry<kMoveaxis>(),
          entry<kSqueeze>(),         entry<kExpandDims>(),     entry<kFlip>(),      entry<kDiagonal>(),
          entry<kAtleast1d>(),       entry<kAtleast2d>(),      entry<kAtleast3d>(), entry<kBroadcastTo>(),
          entry<kBroadcastArrays>(), entry<kRoll>(),           entry<kRepeat>(),    entry<kTile>(),
          entry<kRollaxis>(),        entry<kBroadcastShapes>()});
}

}  // namespace cuprum::python
