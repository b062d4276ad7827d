// What an ndarray object holds, safe to read while another thread changes it.
//
// `a.shape = s`, `a.dtype = t`, flags and resize change an object that other threads may be reading: without the GIL at any
// moment, with it wherever a call waits for a device. So the object's states never change and stay until it dies; a change puts
// another one in front, or one that the object has been in before. Whoever has read a state may use it as long as it has the
// object. That costs a reader one load, and nobody a lock.
#pragma once

#include <Python.h>

#include <atomic>
#include <utility>

#include "expr/array.h"

namespace cuprum::python {

class PyNdarray {
 public:
  struct State {
    const Array array;
    /// The object that a view was taken from (an ndarray, or the owner of shared memory), for `a.base`; null: none. The memory
    /// itself is kept alive by the storage.
    PyObject* const base;
    const State* earlier = nullptr;

    State(Array&& a, PyObject* b) : array(std::move(a)), base(b) { Py_XINCREF(base); }
    explicit State(const HostNumber& value) : array(Array::value(value)), base(nullptr) {}
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() { Py_XDECREF(base); }
  };

  explicit PyNdarray(Array&& array, PyObject* base = nullptr) : first_(std::move(array), base) {}
  explicit PyNdarray(const HostNumber& value) : first_(value) {}
  PyNdarray(const PyNdarray&) = delete;
  PyNdarray& operator=(const PyNdarray&) = delete;
  ~PyNdarray() {
    if (const State* s = others_.load(std::memory_order_acquire)) [[unlikely]]
      forget(s);
  }

  /// For who needs array and base of one moment.
  const State& now() const { return *now_.load(std::memory_order_acquire); }
  const Array& array() const { return now().array; }
  PyObject* base() const { return now().base; }  // borrowed from this object

  /// Is it a number, as it was made, and nothing else? Then there is nothing to let go of.
  bool is_mere_number() const {
    return now_.load(std::memory_order_relaxed) == &first_ && first_.array.is_number() && !first_.base &&
           !others_.load(std::memory_order_relaxed);
  }

  void become(Array array, PyObject* base);

 private:
  const State& remembered(Array array, PyObject* base);
  static void forget(const State* newest);

  State first_;
  std::atomic<const State*> now_{&first_};
  std::atomic<const State*> others_{nullptr};  // beside the first, newest first
};

}  // namespace cuprum::python
