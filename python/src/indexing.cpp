// What stands between the brackets: Python objects made IndexItems, with NumPy's errors. `a[2:5]` and `a[i]` take
// short ways of their own.
#include <atomic>
#include <limits>
#include <memory>
#include <vector>

#include "core/cast.h"
#include "core/inline_vector.h"
#include "errors.h"
#include "expr/engine.h"
#include "index_argument.h"
#include "numpy_interop.h"
#include "ops/index.h"
#include "ops/index_advanced.h"
#include "ops/support.h"
#include "slots.h"
#include "subclass.h"

namespace cuprum::python {

namespace {

using ops::IndexItem;

[[noreturn]] void throw_invalid_index() {
  throw IndexError(
      "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays "
      "are valid indices");
}

const Array& array_of(PyObject* self) { return contents(self).array(); }

/// A Python integer; one beyond 64 bits is no index at all.
std::int64_t integer_index(PyObject* o) {
  const Py_ssize_t i = PyNumber_AsSsize_t(o, PyExc_IndexError);
  if (i == -1 && PyErr_Occurred()) {
    if (!PyErr_ExceptionMatches(PyExc_IndexError)) throw_python_error();
    PyErr_Clear();
    throw_invalid_index();
  }
  return i;
}

struct Slice {
  Py_ssize_t start, stop, step;

  explicit Slice(PyObject* o) {
    if (PySlice_Unpack(o, &start, &stop, &step) < 0) throw_python_error();
  }
};

/// Arrays of objects, text or records are no indices, as in NumPy.
void check_index_dtype(PyObject* host) {
  const nb::object kind = nb::borrow(host).attr("dtype").attr("kind");
  const char k = to_utf8(kind.ptr())[0];
  if (k != 'b' && k != 'i' && k != 'u')
    throw IndexError("arrays used as indices must be of integer (or boolean) type");
}

/// The place in the storage of the element that an integer of Python's own, or a tuple of them, names; kNoElement: the key is
/// another index, or one of them is none. (A std::optional costs 4 ns here: it is read wider than it was written.)
constexpr std::int64_t kNoElement = -1;
std::int64_t element_named(const Array& a, PyObject* key) {
  const bool alone = PyLong_CheckExact(key);
  if (alone ? a.ndim() != 1 : !PyTuple_Check(key) || PyTuple_GET_SIZE(key) != a.ndim()) return kNoElement;
  std::int64_t index[kMaxDims];
  for (int d = 0; d < a.ndim(); ++d) {
    PyObject* o = alone ? key : PyTuple_GET_ITEM(key, d);
    if (!PyLong_CheckExact(o)) return kNoElement;
    int overflow = 0;
    index[d] = PyLong_AsLongLongAndOverflow(o, &overflow);
    if (overflow != 0) return kNoElement;
  }
  return ops::element_offset(a, {index, static_cast<std::size_t>(a.ndim())});
}

/// The items of one index. Arrays that had to be made live here.
class ParsedIndex {
 public:
  /// The current device is that of the indexed array; `function` names the call in errors.
  ParsedIndex(PyObject* key, const char* function) : function_(function), items_(count(key)) {
    if (!PyTuple_Check(key)) {
      add(key);
      return;
    }
    // The keys of a tuple may run code (__index__): each is held while it is read.
    const Py_ssize_t n = PyTuple_GET_SIZE(key);
    for (Py_ssize_t i = 0; i < n; ++i) add(PyTuple_GET_ITEM(key, i));
  }

  operator ops::Index() const { return {items_.data(), items_.size()}; }

 private:
  using Kind = IndexItem::Kind;

  static std::size_t count(PyObject* key) {
    const Py_ssize_t n = PyTuple_Check(key) ? PyTuple_GET_SIZE(key) : 1;
    if (n > 2 * kMaxDims) throw IndexError("too many indices for array");
    return static_cast<std::size_t>(n);
  }

  void add(PyObject* o) {
    if (PyLong_CheckExact(o)) {
      add_integer(integer_index(o));
    } else if (PySlice_Check(o)) {
      const Slice s(o);
      items_.emplace_back(Kind::slice, s.start, s.stop, s.step, nullptr);
    } else if (o == Py_None) {
      items_.emplace_back(IndexItem::newaxis());
    } else if (o == Py_Ellipsis) {
      items_.emplace_back(IndexItem::ellipsis());
    } else if (const Array* a = try_unwrap(o)) {
      if (&a->backend() != &default_backend() && !same_device(a->backend(), default_backend()))
        throw_other_device(function_, "an index", a->backend(), default_backend());
      const bool known = a->is_number() && a->is_value() && is_signed_integer(a->type());
      if (known)
        add_integer(cast_scalar(a->number(), dtype::int64).as<std::int64_t>());
      else
        items_.emplace_back(IndexItem::by(*a));
    } else {
      add_other(o);
    }
  }

  void add_other(PyObject* o) {
    if (PyBool_Check(o)) return add_made(truth_of(Scalar::of(dtype::bool_, o == Py_True)));
    if (is_numpy_array(o)) {
      check_index_dtype(o);
      return add_array(std::make_unique<IndexArgument>(o, "ndarray.__getitem__"));
    }
    if (const auto scalar = numpy_scalar(o)) {
      if (is_bool(scalar->type)) return add_made(truth_of(*scalar));
      if (!is_integer(scalar->type)) throw_invalid_index();
    }
    if (PyIndex_Check(o)) return add_integer(integer_index(o));
    if (PyUnicode_Check(o) || PyBytes_Check(o)) throw_invalid_index();
    if (PyList_Check(o)) return add_sequence(o);
    if (const nb::object shared = device_array(o, "ndarray.__getitem__"); shared.is_valid())
      return add_made(contents(shared.ptr()).array());
    if (!PySequence_Check(o)) throw_invalid_index();
    add_sequence(o);
  }

  void add_sequence(PyObject* o) {
    std::unique_ptr<IndexArgument> made;
    try {
      made = std::make_unique<IndexArgument>(o, "ndarray.__getitem__");
    } catch (const TypeError&) {
      throw_invalid_index();
    }
    made->make_integer();
    if (!is_integer((*made)->type()) && !is_bool((*made)->type())) throw_invalid_index();
    add_array(std::move(made));
  }

  void add_integer(std::int64_t i) { items_.emplace_back(Kind::integer, i, 0, 1, nullptr); }

  static Array truth_of(const Scalar& truth) { return record_full(default_backend(), {}, truth); }

  void add_made(Array a) {
    made_.push_back(std::make_unique<Array>(std::move(a)));
    items_.emplace_back(IndexItem::by(*made_.back()));
  }

  void add_array(std::unique_ptr<IndexArgument> made) {
    items_.emplace_back(IndexItem::by(**made));
    arrays_.push_back(std::move(made));
  }

  const char* function_;
  // Made where they are: copied at once, they would wait for their own stores.
  InlineVector<IndexItem, 4> items_;
  std::vector<std::unique_ptr<IndexArgument>> arrays_;
  std::vector<std::unique_ptr<Array>> made_;
};

/// Does nobody but the interpreter's stack hold the object? Since 3.14 the stack may borrow it from a variable, which Python
/// knows; without the GIL it knows so of no object that C++ may revive, as nanobind's all are.
bool is_on_stack_alone(PyObject* o) {
#if PY_VERSION_HEX >= 0x030e0000 && !defined(Py_GIL_DISABLED)
  return PyUnstable_Object_IsUniqueReferencedTemporary(o) != 0;
#else
  return Py_REFCNT(o) == 1;
#endif
}

}  // namespace

bool is_temporary(PyObject* value, const Value& v) {
  return v.is_array() && !v.array().is_number() && is_on_stack_alone(value) &&
         v.array().storage()->use_count() == 1;
}

namespace {

/// What is to be stored. Where that and the index are bad, NumPy tells of the index.
Value assigned_value(const Array& a, PyObject* key, PyObject* value, nb::object* keep) {
  try {
    return stored_value(value, a.type(), "ndarray.__setitem__", keep);
  } catch (...) {
    ops::check_target(a, ParsedIndex(key, "ndarray.__setitem__"));
    throw;
  }
}

/// A number in place of an element, which nothing has to be made for; false: it is something else.
bool assign_number(const Array& a, PyObject* key, PyObject* value) {
  const bool known = is_plain(value) && array_of(value).is_number() && !is_complex(array_of(value).type());
  if (!known && !PyFloat_CheckExact(value)) return false;
  const std::int64_t offset = element_named(a, key);
  if (offset == kNoElement) return false;
  ops::set_element(a, offset, known ? Value(array_of(value)) : Value::floating(PyFloat_AS_DOUBLE(value)));
  return true;
}

void assign_item(PyObject* self, PyObject* key, PyObject* value) {
  const Array& a = array_of(self);
  if (assign_number(a, key, value)) return;
  const OnDevice there(&a.backend());
  nb::object keep;
  Value v = assigned_value(a, key, value, &keep);
  warn_of_lost_imaginary(v.type(), a.type());
  if (const std::int64_t offset = element_named(a, key); offset != kNoElement)
    return ops::set_element(a, offset, v);
  v.set_temporary(is_temporary(value, v));
  if (PySlice_Check(key)) {
    const Slice s(key);
    check_element(v, a.type());
    return ops::set_view(ops::slice_first(a, s.start, s.stop, s.step), v);
  }
  ops::set_item(a, ParsedIndex(key, "ndarray.__setitem__"), v);
}

// -- Iterating ------------------------------------------------------------------------------------------

/// Two threads may take rows from one: then either may get a row that the other gets too, as from a list's iterator.
struct RowIterator {
  PyObject_HEAD PyObject* array;
  std::atomic<std::int64_t> next;
};

constexpr std::int64_t kNoMore =
    std::numeric_limits<std::int64_t>::max();  // for good, even if the array grows

void iterator_dealloc(PyObject* self) noexcept {
  PyTypeObject* type = Py_TYPE(self);
  Py_XDECREF(reinterpret_cast<RowIterator*>(self)->array);
  PyObject_Free(self);
  Py_DECREF(type);
}

PyObject* iterator_next(PyObject* self) noexcept {
  auto* it = reinterpret_cast<RowIterator*>(self);
  const Array& a = array_of(it->array);
  const std::int64_t i = it->next.load(std::memory_order_relaxed);
  if (a.ndim() == 0 || i >= a.shape()[0]) {
    it->next.store(kNoMore, std::memory_order_relaxed);
    return nullptr;
  }
  it->next.store(i + 1, std::memory_order_relaxed);
  return guarded([&] { return wrap_from(ops::item_first(a, i), it->array); });
}

PyTypeObject* iterator_type = nullptr;

PyTypeObject* make_iterator_type() {
  static PyType_Slot slots[] = {
      {Py_tp_dealloc, reinterpret_cast<void*>(&iterator_dealloc)},
      {Py_tp_iter, reinterpret_cast<void*>(&PyObject_SelfIter)},
      {Py_tp_iternext, reinterpret_cast<void*>(&iterator_next)},
      {0, nullptr},
  };
  static PyType_Spec spec = {"cuprum.ndarray_iterator", sizeof(RowIterator), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  return reinterpret_cast<PyTypeObject*>(checked(PyType_FromSpec(&spec)).release().ptr());
}

}  // namespace

PyObject* ndarray_subscript(PyObject* self, PyObject* key) noexcept {
  return guarded([&]() -> PyObject* {
    const Array& a = array_of(self);
    if (PySlice_Check(key)) {
      const Slice s(key);
      return wrap_view_raw(ops::slice_first(a, s.start, s.stop, s.step), self);
    }
    if (const std::int64_t offset = element_named(a, key); offset != kNoElement) {
      if (const auto number = ops::element_number(a, offset)) return wrap_number(*number);
      return wrap_from(ops::element(a, offset), self);
    }
    if (PyLong_CheckExact(key)) return wrap_from(ops::item_first(a, integer_index(key)), self);
    const OnDevice there(&a.backend());
    return wrap_from(ops::get_item(a, ParsedIndex(key, "ndarray.__getitem__")), self);
  });
}

namespace {

/// Python has counted an index from the end already: one that is still negative would be counted twice.
Py_ssize_t sequence_index(PyObject* self, Py_ssize_t i) {
  return i < 0 ? i - static_cast<Py_ssize_t>(array_of(self).size()) : i;
}

}  // namespace

PyObject* ndarray_item(PyObject* self, Py_ssize_t i) noexcept {
  return guarded([&] { return wrap_from(ops::item_first(array_of(self), sequence_index(self, i)), self); });
}

namespace {

/// Python asks for a sequence's `+` when no operand has added the other, and so does operator.concat.
PyObject* refuse_concat(PyObject* self, PyObject* other, const char* sign) {
  if (is_ndarray(other) || is_array_like(other)) {
    PyErr_SetString(PyExc_TypeError,
                    "cuprum: arrays are not joined by operator.concat; write cp.concatenate([a, b])");
  } else {
    PyErr_Format(PyExc_TypeError, "unsupported operand type(s) for %s: '%s' and '%s'", sign,
                 Py_TYPE(self)->tp_name, Py_TYPE(other)->tp_name);
  }
  return nullptr;
}

}  // namespace

PyObject* ndarray_concat(PyObject* self, PyObject* other) noexcept { return refuse_concat(self, other, "+"); }
PyObject* ndarray_inplace_concat(PyObject* self, PyObject* other) noexcept {
  return refuse_concat(self, other, "+=");
}

int ndarray_assign_item(PyObject* self, Py_ssize_t i, PyObject* value) noexcept {
  PyObject* key = PyLong_FromSsize_t(sequence_index(self, i));
  const int status = key ? ndarray_assign_subscript(self, key, value) : -1;
  Py_XDECREF(key);
  return status;
}

int ndarray_assign_subscript(PyObject* self, PyObject* key, PyObject* value) noexcept {
  return guarded(-1, [&] {
    if (!value) throw ValueError("cannot delete array elements");
    assign_item(self, key, value);
    return 0;
  });
}

PyObject* ndarray_iter(PyObject* self) noexcept {
  return guarded([&] {
    const Array& a = array_of(self);
    if (a.ndim() == 0) throw TypeError("iteration over a 0-d array");
    if (is_pending(a)) evaluate({&a, 1}, Reason::host_access);  // once, not element by element
    auto* it = PyObject_New(RowIterator, iterator_type);
    if (!it) throw_python_error();
    it->array = Py_NewRef(self);
    new (&it->next) std::atomic<std::int64_t>(0);
    return reinterpret_cast<PyObject*>(it);
  });
}

void ufunc_at(Op op, const Array& a, PyObject* index, const Value* b) {
  ops::fold_at(a, ParsedIndex(index, "ufunc.at"), op, b);
}

namespace {

template <Op op>
PyObject* scatter(PyObject* const* args) {
  nb::object keep;
  const Value v = to_value_or_convert(args[2], "ndarray.scatter", &keep);
  ufunc_at(op, contents(args[0]).array(), args[1], &v);
  return Py_NewRef(Py_None);
}

constinit Function kScatterAdd = {
    "scatter_add", "a, slices, value", &scatter<Op::add>,
    "Adds values at an index, each of them, even where the index names an element twice."};
constinit Function kScatterMax = {
    "scatter_max", "a, slices, value", &scatter<Op::maximum>,
    "Stores the maximum of an element and every value that the index sends to it."};
constinit Function kScatterMin = {
    "scatter_min", "a, slices, value", &scatter<Op::minimum>,
    "Stores the minimum of an element and every value that the index sends to it."};

}  // namespace

void bind_indexing(NdarrayClass& c) {
  if (!iterator_type) iterator_type = make_iterator_type();
  add_methods(c, {entry<kScatterAdd>(), entry<kScatterMax>(), entry<kScatterMin>()});
}

}  // namespace cuprum::python
