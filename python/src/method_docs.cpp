// What `help` and `inspect.signature` show of the methods of ndarray: NumPy's signature and an example.
//
// The sentence comes from where the method is bound; python/cuprum/_reference adds parameters and result
// (`set_method_text`). A method bound by nanobind, whose functions inspect cannot read,
// is replaced by a descriptor that forwards to it (some 10 ns). tests/python/test_api.py compares every signature with
// NumPy's and runs every example.
#include <array>
#include <cstring>
#include <utility>

#include "core/small_vector.h"
#include "errors.h"
#include "function.h"

namespace cuprum::python {

namespace {

struct MethodDoc {
  const char* name;
  const char*
      parameters;  // those after self, as NumPy shows them; null: as they were declared where it is bound
  const char* example;
};

constexpr MethodDoc kMethods[] = {
    {"all", nullptr,
     ">>> cp.array([[True, False], [True, True]]).all(axis=1)\n"
     "array([False,  True])"},
    {"any", nullptr,
     ">>> cp.array([[True, False], [False, False]]).any(axis=1)\n"
     "array([ True, False])"},
    {"argmax", nullptr,
     ">>> cp.array([3, 9, 4]).argmax()\n"
     "array(1)"},
    {"argmin", nullptr,
     ">>> cp.array([3, 9, 4]).argmin()\n"
     "array(0)"},
    {"argpartition", "kth, /, axis=-1, kind='introselect', order=None",
     ">>> x = cp.array([7, 1, 5])\n"
     ">>> x[x.argpartition(0)[0]]\n"
     "array(1)"},
    {"argsort", nullptr,
     ">>> cp.array([3, 1, 2]).argsort()\n"
     "array([1, 2, 0])"},
    {"astype", "/, dtype, order='K', casting='unsafe', subok=True, copy=True, device=None",
     ">>> cp.array([1.7, -1.7]).astype(int)\n"
     "array([ 1, -1])"},
    {"choose", nullptr,
     ">>> cp.array([1, 0, 1]).choose([cp.array([1, 2, 3]), cp.array([10, 20, 30])])\n"
     "array([10,  2, 30])"},
    {"clip", nullptr,
     ">>> cp.arange(6).clip(1, 4)\n"
     "array([1, 1, 2, 3, 4, 4])"},
    {"compress", nullptr,
     ">>> cp.array([10, 20, 30]).compress([True, False, True])\n"
     "array([10, 30])"},
    {"conj", nullptr,
     ">>> cp.array([1 + 2j]).conj()\n"
     "array([1.-2.j])"},
    {"conjugate", nullptr,
     ">>> cp.array([1 + 2j]).conjugate()\n"
     "array([1.-2.j])"},
    {"copy", "/, order='C'",
     ">>> x = cp.zeros(2)\n"
     ">>> y = x.copy()\n"
     ">>> y[0] = 1\n"
     ">>> x\n"
     "array([0., 0.])"},
    {"cumprod", nullptr,
     ">>> cp.array([1, 2, 3]).cumprod()\n"
     "array([1, 2, 6])"},
    {"cumsum", nullptr,
     ">>> cp.array([1, 2, 3]).cumsum()\n"
     "array([1, 3, 6])"},
    {"diagonal", nullptr,
     ">>> cp.arange(9).reshape(3, 3).diagonal()\n"
     "array([0, 4, 8])"},
    {"dot", "other, /, out=None",
     ">>> cp.array([1, 2]).dot(cp.array([3, 4]))\n"
     "array(11)"},
    {"fill", "/, value",
     ">>> x = cp.empty(3)\n"
     ">>> x.fill(7)\n"
     ">>> x\n"
     "array([7., 7., 7.])"},
    {"flatten", nullptr,
     ">>> cp.array([[1, 2], [3, 4]]).flatten()\n"
     "array([1, 2, 3, 4])"},
    {"get", "/, stream=None, order='C', out=None, blocking=True",
     ">>> type(cp.arange(3).get())\n"
     "<class 'numpy.ndarray'>"},
    {"item", "/, *args",
     ">>> cp.array([[1, 2], [3, 4]]).item(1, 0)\n"
     "3\n"
     ">>> cp.arange(4).sum().item()\n"
     "6"},
    {"max", nullptr,
     ">>> cp.array([[1, 5], [7, 2]]).max(axis=0)\n"
     "array([7, 5])"},
    {"mean", nullptr,
     ">>> cp.array([1.0, 2.0, 6.0]).mean()\n"
     "array(3.)"},
    {"min", nullptr,
     ">>> cp.array([[1, 5], [7, 2]]).min(axis=0)\n"
     "array([1, 2])"},
    {"nonzero", nullptr,
     ">>> cp.array([0, 3, 0, 4]).nonzero()\n"
     "(array([1, 3]),)"},
    {"partition", "kth, /, axis=-1, kind='introselect', order=None",
     ">>> x = cp.array([7, 1, 5])\n"
     ">>> x.partition(0)\n"
     ">>> x[0]\n"
     "array(1)"},
    {"prod", nullptr,
     ">>> cp.array([1, 2, 3, 4]).prod()\n"
     "array(24)"},
    {"ptp", nullptr,
     ">>> cp.array([4, 9, 2]).ptp()\n"
     "array(7)"},
    {"put", "indices, values, /, mode='raise'",
     ">>> x = cp.zeros(4)\n"
     ">>> x.put([0, 3], [1, 2])\n"
     ">>> x\n"
     "array([1., 0., 0., 2.])"},
    {"ravel", nullptr,
     ">>> cp.array([[1, 2], [3, 4]]).ravel()\n"
     "array([1, 2, 3, 4])"},
    {"reduced_view", nullptr,
     ">>> cp.zeros((2, 3)).reduced_view().shape\n"
     "(6,)"},
    {"repeat", "repeats, /, axis=None",
     ">>> cp.array([1, 2]).repeat(2)\n"
     "array([1, 1, 2, 2])"},
    {"reshape", "/, *shape, order='C', copy=None",
     ">>> cp.arange(6).reshape(2, -1)\n"
     "array([[0, 1, 2],\n"
     "       [3, 4, 5]])"},
    {"round", nullptr,
     ">>> cp.array([1.234, 5.678]).round(1)\n"
     "array([1.2, 5.7])"},
    {"scatter_add", nullptr,
     ">>> x = cp.zeros(3)\n"
     ">>> x.scatter_add(cp.array([0, 0, 2]), 1)\n"
     ">>> x\n"
     "array([2., 0., 1.])"},
    {"scatter_max", nullptr,
     ">>> x = cp.zeros(3)\n"
     ">>> x.scatter_max(cp.array([0, 0]), cp.array([2.0, 5.0]))\n"
     ">>> x\n"
     "array([5., 0., 0.])"},
    {"scatter_min", nullptr,
     ">>> x = cp.zeros(3)\n"
     ">>> x.scatter_min(cp.array([0, 0]), cp.array([-2.0, 5.0]))\n"
     ">>> x\n"
     "array([-2.,  0.,  0.])"},
    {"searchsorted", "v, /, side='left', sorter=None",
     ">>> cp.array([1, 3, 5]).searchsorted(4)\n"
     "array(2)"},
    {"set", "/, arr, stream=None",
     ">>> x = cp.zeros(3)\n"
     ">>> x.set(np.array([1.0, 2.0, 3.0]))\n"
     ">>> x\n"
     "array([1., 2., 3.])"},
    {"setflags", "/, *, write=None, align=None, uic=None",
     ">>> x = cp.zeros(3)\n"
     ">>> x.setflags(write=False)\n"
     ">>> x.flags.writeable\n"
     "False"},
    {"sort", nullptr,
     ">>> x = cp.array([3, 1, 2])\n"
     ">>> x.sort()\n"
     ">>> x\n"
     "array([1, 2, 3])"},
    {"squeeze", nullptr,
     ">>> cp.zeros((1, 3, 1)).squeeze().shape\n"
     "(3,)"},
    {"std", nullptr,
     ">>> cp.array([1.0, 3.0]).std()\n"
     "array(1.)"},
    {"sum", nullptr,
     ">>> cp.array([[1, 2], [3, 4]]).sum(axis=0)\n"
     "array([4, 6])"},
    {"swapaxes", "axis1, axis2, /",
     ">>> cp.zeros((2, 3, 4)).swapaxes(0, 2).shape\n"
     "(4, 3, 2)"},
    {"take", "indices, /, axis=None, out=None, mode='raise'",
     ">>> cp.array([10, 20, 30]).take([2, 0])\n"
     "array([30, 10])"},
    {"toDlpack", "/",
     ">>> with cp.Device('cpu'):\n"
     "...     capsule = cp.arange(3).toDlpack()"},
    {"tobytes", "/, order='C'",
     ">>> cp.array([1, 2], dtype=cp.uint8).tobytes()\n"
     "b'\\x01\\x02'"},
    {"tolist", "/",
     ">>> cp.array([[1, 2], [3, 4]]).tolist()\n"
     "[[1, 2], [3, 4]]"},
    {"trace", nullptr,
     ">>> cp.arange(9).reshape(3, 3).trace()\n"
     "array(12)"},
    {"transpose", "/, *axes",
     ">>> cp.zeros((2, 3, 4)).transpose(1, 0, 2).shape\n"
     "(3, 2, 4)"},
    {"var", nullptr,
     ">>> cp.array([1.0, 3.0]).var()\n"
     "array(1.)"},
    {"view", "/, dtype=None, type=None",
     ">>> cp.array([1.0, -1.0]).view(cp.int64)\n"
     "array([ 4607182418800017408, -4616189618054758400])"},
};
constexpr std::size_t kCount = std::size(kMethods);

PyObject* bound_by_nanobind[kCount] = {};  // borrowed from the class

template <std::size_t I>
PyObject* forward(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* keywords) noexcept {
  return guarded([&] {
    SmallVector<PyObject*, 16> all;
    all.push_back(self);
    const Py_ssize_t count = n + (keywords ? PyTuple_GET_SIZE(keywords) : 0);
    for (Py_ssize_t i = 0; i < count; ++i) all.push_back(args[i]);
    return PyObject_Vectorcall(bound_by_nanobind[I], all.data(), static_cast<std::size_t>(n) + 1, keywords);
  });
}

template <std::size_t... I>
constexpr std::array<FastCall, kCount> make_forwards(std::index_sequence<I...>) {
  return {&forward<I>...};
}
constexpr std::array<FastCall, kCount> kForwards = make_forwards(std::make_index_sequence<kCount>());

/// Text in front of `mark`, or all of it; and what is behind it.
std::pair<std::string, std::string> split(const std::string& text, const char* mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string::npos) return {text, ""};
  return {text.substr(0, at), text.substr(at + std::strlen(mark))};
}

/// Kept for good: CPython points into it.
const char* text_of(const MethodDoc& m, const std::string& declared, const std::string& sentence) {
  const std::string first = m.parameters ? std::string(m.name) + "($self, " + m.parameters + ")" : declared;
  return (new std::string(first + "\n--\n\n" + sentence + "\n\n" + m.example))->c_str();
}

/// Replaces what follows the signature in the text of a method of ndarray.
void set_method_text(const std::string& name, const std::string& text) {
  nb::object method = nb::borrow(reinterpret_cast<PyObject*>(ndarray_type)).attr(name.c_str());
  if (!Py_IS_TYPE(method.ptr(), &PyMethodDescr_Type))
    throw TypeError("cuprum.ndarray." + name + " is not a method of the C++ module");
  PyMethodDef* definition = reinterpret_cast<PyMethodDescrObject*>(method.ptr())->d_method;
  const std::string declared = split(definition->ml_doc, "\n--\n\n").first;
  definition->ml_doc = (new std::string(declared + "\n--\n\n" + text))->c_str();  // kept for good, as above
}

}  // namespace

void bind_method_texts(nb::module_& m) { m.def("set_method_text", &set_method_text); }

void document_methods(NdarrayClass& c) {
  nb::list forwarded_to;
  for (std::size_t i = 0; i < kCount; ++i) {
    const MethodDoc& m = kMethods[i];
    if (!nb::hasattr(c, m.name)) continue;
    nb::object method = c.attr(m.name);
    if (Py_IS_TYPE(method.ptr(), &PyMethodDescr_Type)) {
      PyMethodDef* definition = reinterpret_cast<PyMethodDescrObject*>(method.ptr())->d_method;
      const auto [declared, sentence] = split(definition->ml_doc, "\n--\n\n");
      definition->ml_doc = text_of(m, declared, sentence);
      continue;
    }
    const std::string sentence = split(to_utf8(method.attr("__doc__").ptr()), "\n\n").second;
    bound_by_nanobind[i] = method.ptr();
    forwarded_to.append(std::move(method));
    auto* definition =
        new PyMethodDef{m.name, reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(kForwards[i])),
                        METH_FASTCALL | METH_KEYWORDS, text_of(m, m.name, sentence)};
    c.attr(m.name) = checked(PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(c.ptr()), definition));
  }
  c.attr("_forwarded_to") = nb::tuple(forwarded_to);
}

}  // namespace cuprum::python
