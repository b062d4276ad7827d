// The interpreter's lock, signals and end, as the engine and threads without a Python frame meet them.
//
// An interpreter that exits stops its daemon threads where they next take the GIL: Python up to 3.13 by pthread_exit, which
// unwinds through C++ frames that must not be unwound and so ends the process, later ones by waiting for good. Here such
// threads wait for good in every version.
#pragma once

#include <Python.h>

#include <utility>

namespace cuprum::python {

/// Gives the engine its hooks (runtime/lock.h).
void install_interpreter_hooks();

/// A thread that the interpreter has stopped.
[[noreturn]] void wait_for_good() noexcept;

/// Does this thread hold the GIL? True for the thread that takes the interpreter down too, until nothing is left of it.
bool has_gil() noexcept;

/// Takes the GIL for a thread that does not hold it; false: the interpreter is gone or going.
bool ensure_gil(PyGILState_STATE& state) noexcept;

/// Runs `work` with the GIL, on any thread. Without an interpreter nothing is run: what it would free is freed with the process.
template <class F>
void with_gil(F&& work) {
  if (has_gil()) return std::forward<F>(work)();
  PyGILState_STATE state;
  if (!ensure_gil(state)) return;
  std::forward<F>(work)();
  PyGILState_Release(state);
}

}  // namespace cuprum::python
