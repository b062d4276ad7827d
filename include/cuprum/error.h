// The exceptions Cuprum throws. Each corresponds to one Python exception type, which is what NumPy
// raises for the same mistake. Messages name the function, what was given and what to write instead.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

namespace cuprum {

/// Base of every exception thrown by the library.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;

  const char* what() const noexcept override { return noted_ ? noted_->c_str() : std::runtime_error::what(); }
  /// Adds to the text what is known further up the stack: the operation, the place in the program.
  void add_note(const std::string& text) { noted_ = std::make_shared<const std::string>(what() + text); }

 private:
  std::shared_ptr<const std::string> noted_;  // copying an exception must not throw
};

/// A value that the function does not accept (Python: ValueError).
class ValueError : public Error {
 public:
  using Error::Error;
};

/// An axis out of range (Python: numpy.exceptions.AxisError, a ValueError and an IndexError).
class AxisError : public ValueError {
 public:
  using ValueError::ValueError;
};

/// A type that the function does not accept (Python: TypeError).
class TypeError : public Error {
 public:
  using Error::Error;
};

/// No loop, or no cast under the given rule, for these dtypes (Python: numpy's UFuncTypeError, a TypeError).
class UFuncTypeError : public TypeError {
 public:
  using TypeError::TypeError;
};

/// An index out of bounds or of the wrong kind (Python: IndexError).
class IndexError : public Error {
 public:
  using Error::Error;
};

/// A matrix for which the asked-for does not exist or is not found (Python: numpy.linalg.LinAlgError, a ValueError).
class LinAlgError : public ValueError {
 public:
  using ValueError::ValueError;
};

/// A Python integer that does not fit the dtype (Python: OverflowError).
class OverflowError : public Error {
 public:
  using Error::Error;
};

/// A division by zero that has no answer (Python: ZeroDivisionError).
class ZeroDivisionError : public Error {
 public:
  using Error::Error;
};

/// Data that cannot be exported or imported as asked (Python: BufferError).
class BufferError : public Error {
 public:
  using Error::Error;
};

/// A device that is not there, or a use of streams, events and captures that devices forbid; the text ends with CUDA's name for
/// it, where it has one (Python: cuprum.cuda.runtime.CUDARuntimeError, a RuntimeError).
class DeviceError : public Error {
 public:
  using Error::Error;
};

/// A module that has no such kernel or variable, or cannot be loaded (Python: cuprum.cuda.driver.CUDADriverError).
class LoadError : public DeviceError {
 public:
  using DeviceError::DeviceError;
};

/// A text in CUDA C++ that a compiler refuses, with its log and the marked line (Python: cuprum.cuda.compiler.CompileException).
class CompileError : public Error {
 public:
  using Error::Error;
};

/// A request for memory that cannot be met; nothing was changed (Python: MemoryError).
class OutOfMemoryError : public Error {
 public:
  using Error::Error;
};

}  // namespace cuprum
