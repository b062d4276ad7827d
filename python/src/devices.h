// Where a call computes. A call computes on the device of its arrays, and what else it is given goes there: numbers, lists
// and host memory. Only a call without an array reads the current device of the thread. So whatever Python can call enters
// through one of these scopes: functions and methods (function.cpp, boundary.cpp), operators (number.cpp), indexing
// (indexing.cpp), ufuncs and their methods (ufunc*.cpp), and functions that are written in Python (composite.cpp).
#pragma once

#include <string>

#include "expr/place.h"
#include "ndarray.h"
#include "runtime/devices.h"
#include "subclass.h"

namespace cuprum::python {

/// While this lives, its device is the current one of the thread.
class OnDevice {
 public:
  /// That which `device=` names; null and None: nothing changes.
  OnDevice(nb::handle device, const char* function);
  /// This one; null: nothing changes.
  explicit OnDevice(Backend* device) {
    if (device && device != &default_backend()) [[unlikely]]
      enter(*device);
  }
  ~OnDevice() {
    if (entered_) [[unlikely]]
      set_thread_backend(before_);
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  void enter(Backend& backend) {
    before_ = set_thread_backend(&backend);
    entered_ = true;
  }

  Backend* before_ = nullptr;
  bool entered_ = false;
};

/// Where the arrays among the arguments of a call are.
struct CallDevice {
  Backend* device = nullptr;  // of the first one; null: the call has none
  Py_ssize_t other = -1;      // the argument that is an array of another device; -1: none
};

/// Looks at the `n` arguments of a call; those left out are null. Where none is an array, one may stand in a list or a tuple:
/// `stack([a, b])`. `choice` sees all arrays that are arguments themselves.
CallDevice device_of_call(PyObject* const* args, Py_ssize_t n, ClassChoice* choice = nullptr);

/// The device of the first array in nested lists, tuples and slices; null: there is none.
Backend* device_within(PyObject* o);

/// The error for an array of another device: "cuprum.add: argument 2 is on far, ...".
[[noreturn]] void throw_other_device(const std::string& function, const std::string& argument,
                                     const Backend& there, const Backend& here);
inline void check_same_device(const char* function, const Array& first, const Array& second) {
  if (&first.backend() != &second.backend() && !same_device(first.backend(), second.backend())) [[unlikely]]
    throw_other_device(function, "argument 2", second.backend(), first.backend());
}

/// The device of a vectorcall's arrays, null where it has none: `n` arguments by position, then those that `names` names. An
/// array of another device is an error of the call that `function()` names.
template <class F>
Backend* device_of_vectorcall(F&& function, PyObject* const* args, Py_ssize_t n, PyObject* names) {
  const CallDevice found = device_of_call(args, n + (names ? PyTuple_GET_SIZE(names) : 0));
  if (found.other >= 0) [[unlikely]] {
    const std::string which =
        found.other < n ? std::to_string(found.other + 1) : to_utf8(PyTuple_GET_ITEM(names, found.other - n));
    throw_other_device(function(), "argument " + which, contents(args[found.other]).array().backend(),
                       *found.device);
  }
  return found.device;
}

}  // namespace cuprum::python
