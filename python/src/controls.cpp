// What a user can see and set of the machinery: evaluation, the pending graph, memory, threads.
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <unordered_set>
#include <utility>

#include "backend/cpu/dispatch.h"
#include "backend/cpu/threads.h"
#include "bindings.h"
#include "casters.h"
#include "containers.h"
#include "errors.h"
#include "expr/engine.h"
#include "gil.h"
#include "runtime/lock.h"
#include "runtime/settings.h"

namespace cuprum::python {

namespace {

/// The arrays in a call's arguments, lists and tuples included. No recursion, and each list is entered once: lists may be
/// nested to any depth, and contain themselves.
std::vector<Array> arrays_in(PyObject* const* args, Py_ssize_t n, const char* function) {
  std::vector<Array> arrays;
  std::vector<nb::object> rest;  // the next one last
  std::unordered_set<PyObject*> entered;
  for (Py_ssize_t i = n; i-- > 0;) rest.push_back(nb::borrow(args[i]));
  while (!rest.empty()) {
    const nb::object o = std::move(rest.back());
    rest.pop_back();
    if (!PyList_Check(o.ptr()) && !PyTuple_Check(o.ptr())) {
      arrays.push_back(unwrap(o.ptr(), function, 0));
    } else if (entered.insert(o.ptr()).second) {
      const Items items(o.ptr());
      for (Py_ssize_t i = items.size(); i-- > 0;) rest.push_back(nb::borrow(items[i]));
    }
  }
  return arrays;
}

std::vector<Array> arrays_of(nb::args args, const char* function) {
  PyObject* list = args.ptr();
  return arrays_in(&list, 1, function);
}

/// evaluate(*arrays): the array itself, or the tuple of arrays.
PyObject* evaluate_call(PyObject*, PyObject* const* args, Py_ssize_t n) noexcept {
  return guarded([&]() -> PyObject* {
    if (n == 1 && is_ndarray(args[0])) {
      evaluate({&contents(args[0]).array(), 1});
      return Py_NewRef(args[0]);
    }
    evaluate(arrays_in(args, n, "evaluate"));
    if (n == 1) return Py_NewRef(args[0]);
    nb::object result = checked(PyTuple_New(n));
    for (Py_ssize_t i = 0; i < n; ++i) PyTuple_SET_ITEM(result.ptr(), i, Py_NewRef(args[i]));
    return result.release().ptr();
  });
}

void set_num_threads(PyObject* o) {
  const std::int64_t n = to_int(o, "set_num_threads", "n");
  cpu::set_num_threads(static_cast<int>(
      std::clamp<std::int64_t>(n, std::numeric_limits<int>::min(), std::numeric_limits<int>::max())));
}

nb::dict stats() {
  const EngineStats s = engine_stats();
  nb::dict reasons;
  for (int i = 0; i < kReasonCount; ++i) reasons[name(static_cast<Reason>(i))] = s.by_reason[i];
  nb::dict d;
  d["nodes_recorded"] = s.nodes_recorded;
  d["evaluations"] = s.evaluations;
  d["kernels"] = s.kernels;
  d["calls"] = s.calls;
  d["pinned_bytes"] = s.pinned_bytes;
  d["by_reason"] = reasons;
  return d;
}

/// Options belong to the graph, whose lock guards them. Returns what was set before.
template <class T>
T set_option(T EngineOptions::*option, T value) {
  const EngineLock lock;
  return std::exchange(engine_options().*option, value);
}

nb::dict build_info() {
  nb::dict d;
#if defined(__clang__)
  d["compiler"] = __VERSION__;  // begins with its name
#else
  d["compiler"] = "gcc " __VERSION__;
#endif
  d["nanobind"] = nb::make_tuple(NB_VERSION_MAJOR, NB_VERSION_MINOR, NB_VERSION_PATCH);
  d["device"] = default_backend().name();
  d["simd"] = name(simd_level());
  d["threads"] = cpu::num_threads();
  d["eager"] = engine_options().eager;
  d["max_nodes"] = engine_options().max_nodes;
  d["max_pinned"] = engine_options().max_pinned;
  return d;
}

}  // namespace

void bind_controls(nb::module_& m) {
  install_interpreter_hooks();
  static PyMethodDef evaluate_method = {
      "evaluate", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&evaluate_call)), METH_FASTCALL,
      "evaluate(*arrays)\n--\n\n"
      "Computes pending arrays now, in as few kernels as possible.\n\n"
      "Parameters\n----------\n*arrays : ndarray\n    The arrays; those that are computed already stay as "
      "they are.\n\n"
      "Returns\n-------\nndarray, or a tuple of them\n    The same arrays.\n\n"
      "Examples\n--------\n"
      ">>> x = cp.arange(3.0)\n>>> y, z = cp.evaluate(x * 2, x + 1)\n>>> z\narray([1., 2., 3.])"};
  m.attr("evaluate") = checked(PyCFunction_NewEx(&evaluate_method, nullptr, nb::str("cuprum").ptr()));
  m.def(
      "is_pending", [](nb::handle a) { return is_pending(unwrap(a.ptr(), "is_pending", 1)); },
      nb::arg("a").none(), "is_pending(a)\n\nWhether the array has been recorded but not computed.");
  m.def("graph_text", [](nb::args args) { return graph_text(arrays_of(args, "show_graph")); });
  m.def("graph_svg", [](nb::args args) { return graph_svg(arrays_of(args, "show_graph")); });
  m.def("engine_stats", &stats);
  m.def(
      "set_eager", [](Truth eager) { set_option(&EngineOptions::eager, static_cast<bool>(eager)); },
      nb::arg("eager"));
  m.def("get_eager", [] {
    const EngineLock lock;
    return engine_options().eager;
  });
  m.def("set_small_bytes", [](std::size_t bytes) {  // for tests
    return set_option(&EngineOptions::small_bytes, bytes);
  });
  m.def(
      "set_num_threads", [](nb::handle n) { set_num_threads(n.ptr()); }, nb::arg("n"),
      "set_num_threads(n)\n\nSets how many threads compute.");
  m.def(
      "get_num_threads", [] { return cpu::num_threads(); }, "get_num_threads()\n\nHow many threads compute.");
  m.def("before_fork", &before_fork);
  m.def("after_fork", &after_fork);
  m.def("build_info", &build_info);
  m.def("check_settings", [] {
    settings();
    return doubtful_settings();
  });
}

}  // namespace cuprum::python
