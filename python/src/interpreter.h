// Python from code that may run anywhere: on a thread of the library, or while the interpreter ends and clears its modules.
#pragma once

#include <Python.h>

namespace cuprum::python {

/// Does this thread hold Python's lock? Also true of the thread that ends the interpreter, until it has ended; PyGILState_Check
/// says yes ever after, Py_IsInitialized no before the modules are cleared.
inline bool holds_python() {
  PyThreadState* mine = PyGILState_GetThisThreadState();
#if PY_VERSION_HEX >= 0x030D0000
  return mine && mine == PyThreadState_GetUnchecked();
#else
  return mine && mine == _PyThreadState_UncheckedGet();
#endif
}

/// Calls `f` with Python's lock. Once the interpreter is gone there is nothing left to do: what `f` would free is gone with it.
template <class F>
void with_python(F&& f) {
  if (holds_python()) {
    f();
  } else if (Py_IsInitialized()) {
    const PyGILState_STATE state = PyGILState_Ensure();
    f();
    PyGILState_Release(state);
  }
}

}  // namespace cuprum::python
