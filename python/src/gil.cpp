#include "gil.h"

#include <cxxabi.h>
#include <nanobind/nanobind.h>
#include <unistd.h>

#include "runtime/lock.h"

namespace cuprum::python {

namespace {

namespace nb = nanobind;

/// Runs what may be stopped by pthread_exit.
template <class F>
void stoppable(F&& take) noexcept {
#if defined(__GLIBCXX__)
  try {
    take();
  } catch (const abi::__forced_unwind&) {
    wait_for_good();
  }
#else
  take();
#endif
}

// Set before the interpreter takes itself down, while its last thread still runs Python code.
bool is_exiting() { return !Py_IsInitialized(); }

// The thread that takes the interpreter down keeps the GIL: it would be the only one to get it back.
void* let_gil_go() { return !is_exiting() && has_gil() ? PyEval_SaveThread() : nullptr; }

void take_gil(void* token) {
  if (is_exiting()) wait_for_good();  // the thread's state may be gone already
  stoppable([&] { PyEval_RestoreThread(static_cast<PyThreadState*>(token)); });
}

bool raises_keyboard_interrupt() {
  const nb::module_ signal = nb::module_::import_("_signal");
  return signal.attr("getsignal")(signal.attr("SIGINT")).is(signal.attr("default_int_handler"));
}

bool is_interrupted() { return !is_exiting() && has_gil() && PyOS_InterruptOccurred(); }

// A handler of the program's own may run anything, and so is left to the interpreter, after the call.
void raise_interrupt() {
  if (!raises_keyboard_interrupt()) {
    PyErr_SetInterrupt();
    return;
  }
  PyErr_SetNone(PyExc_KeyboardInterrupt);
  throw nb::python_error();
}

}  // namespace

void install_interpreter_hooks() {
  set_interpreter_hooks({&let_gil_go, &take_gil, &is_exiting, &is_interrupted, &raise_interrupt});
}

// PyGILState_Check says yes ever after the interpreter has ended, Py_IsInitialized no before its modules are cleared.
bool has_gil() noexcept {
  PyThreadState* mine = PyGILState_GetThisThreadState();
#if PY_VERSION_HEX >= 0x030d0000
  return mine && mine == PyThreadState_GetUnchecked();
#else
  return mine && mine == _PyThreadState_UncheckedGet();
#endif
}

void wait_for_good() noexcept {
  for (;;) pause();
}

bool ensure_gil(PyGILState_STATE& state) noexcept {
  if (is_exiting()) return false;
  stoppable([&] { state = PyGILState_Ensure(); });
  return true;
}

}  // namespace cuprum::python
