#include "transfer_guard.h"

#include <atomic>

#include "bindings.h"
#include "casters.h"
#include "errors.h"
#include "numpy_interop.h"
#include "runtime/devices.h"
#include "runtime/settings.h"

namespace cuprum::python {

namespace {

constexpr const char* kWords[] = {"error", "warn", "allow"};
constexpr int kNotSet = -1;

PyObject* of_context = nullptr;         // the ContextVar: one of kWords, or None
std::atomic<int> of_process = kNotSet;  // set by the program; not set: what the environment says

int number_of(std::string_view word) {
  for (int i = 0; i < 3; ++i) {
    if (word == kWords[i]) return i;
  }
  return kNotSet;
}

nb::object word_of(int number) {
  return number == kNotSet ? nb::none() : nb::object(nb::str(kWords[number]));
}

/// kNotSet for None.
int to_number(nb::handle word) {
  if (word.is_none()) return kNotSet;
  const int number = PyUnicode_Check(word.ptr()) ? number_of(to_utf8(word.ptr())) : kNotSet;
  if (number == kNotSet)
    throw ValueError("cuprum.transfer_guard: write \"error\", \"warn\" or \"allow\", given " +
                     to_utf8(nb::repr(word).ptr()));
  return number;
}

int in_context() {
  PyObject* value = nullptr;
  if (PyContextVar_Get(of_context, nullptr, &value) < 0) throw_python_error();
  const nb::object held = nb::steal(value);
  return held.is_valid() && !held.is_none() ? number_of(to_utf8(held.ptr())) : kNotSet;
}

/// Sets the guard of this context, or of the process; what was set before.
nb::object set(nb::handle word, Truth all_threads) {
  const int number = to_number(word);
  if (all_threads) return word_of(of_process.exchange(number));
  const nb::object before = word_of(in_context());
  checked(PyContextVar_Set(of_context, word_of(number).ptr()));
  return before;
}

void warn(const std::string& text) { nb::module_::import_("cuprum._transfer_guard").attr("warn")(text); }

std::string in_bytes(std::size_t n) {
  return n < 10000 ? std::to_string(n) + " bytes" : std::to_string(n / 1000) + " KB";
}

bool is_small(PyObject* o, HostRole role, const char* function) {
  if (role == HostRole::index) return true;
  const HostArray h = host_array(o, function);
  if (h.shape.empty()) return true;
  const auto nbytes = static_cast<std::size_t>(element_count(h.shape)) * itemsize(h.type);
  return role == HostRole::parameter && nbytes <= kHostParameterBytes;
}

}  // namespace

Transfers transfers(const Backend& device) {
  int number = in_context();
  if (number == kNotSet) number = of_process.load(std::memory_order_relaxed);
  if (number == kNotSet) number = number_of(settings().transfers);
  if (number == kNotSet) return device.known_as().host_accessible() ? Transfers::allow : Transfers::error;
  return static_cast<Transfers>(number);
}

void admit_host_array(PyObject* o, HostRole role, const char* function, int position) {
  if (role != HostRole::index && outranks_numpy(o)) throw_not_array(o, function, position);
  const Backend& device = default_backend();
  const Transfers mode = transfers(device);
  if (mode == Transfers::allow || is_small(o, role, function)) return;
  if (mode == Transfers::error) throw_not_array(o, function, position);
  const auto nbytes = nb::cast<std::size_t>(nb::handle(o).attr("nbytes"));
  warn(std::string("cuprum.") + function + ": a numpy.ndarray of " + in_bytes(nbytes) + " is copied to " +
       device.name() + "; write cp.asarray(x), once");
}

void admit_download(const Array& a) {
  if (a.backend().known_as().host_accessible()) return;
  const Transfers mode = transfers(a.backend());
  if (mode == Transfers::allow) return;
  const std::string name = a.backend().name();
  if (mode == Transfers::error)
    throw TypeError("cuprum: implicit conversion to a NumPy array is not allowed: the array is on " + name +
                    "; write a.get() or cp.asnumpy(a), or let cp.transfer_guard(\"allow\") copy it");
  warn("cuprum: an array of " + in_bytes(a.nbytes()) + " is copied from " + name +
       " to the host; write cp.asnumpy(a), once");
}

void bind_transfer_guard(nb::module_& m) {
  of_context = PyContextVar_New("cuprum.transfer_guard", nullptr);
  if (!of_context) throw_python_error();
  m.def("set_transfers", &set, nb::arg("mode").none(), nb::arg("all_threads") = false);
  m.def("transfers", [](nb::handle a) {  // for arrays beside this one
    return kWords[static_cast<int>(transfers(unwrap(a.ptr(), "transfer_guard", 1).backend()))];
  });
}

}  // namespace cuprum::python
