// What a device plug-in (libcuprum_cuda13.so) gives to the core, which opens it at run time (devices.cpp).
//
// Both are built from one source tree; kPluginVersion keeps a library of another version from being used.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "runtime/backend.h"

namespace cuprum {

/// Raised with every change of Backend, Kernel or what stands here.
inline constexpr int kPluginVersion = 8;

class Plugin {
 public:
  virtual ~Plugin() = default;

  /// Empty when its devices can be used; else the reason, and what to do about it.
  virtual std::string problem() = 0;
  virtual int device_count() = 0;
  /// The device's model, and, if it cannot be used, why: known without opening it.
  virtual std::string description(int device) = 0;
  virtual std::string device_problem(int device) = 0;
  /// As in "0000:3b:00.0".
  virtual std::string pci_bus_id(int device) = 0;
  /// The newest CUDA that the driver supports, and that of the plug-in: 13000 for 13.0.
  virtual std::pair<int, int> versions() = 0;
  /// Opened at the first call, and never closed: buffers may outlive static destructors. Throws.
  virtual Backend& backend(int device) = 0;
  /// What else it found on this machine (libraries and their paths), as lines "name: where".
  virtual std::vector<std::string> notes() = 0;
  /// Waits until kernels that are compiled in the background are ready: for measurements and tests.
  virtual void finish_compiling() = 0;
  /// For a profiler of the maker's that watches the process: names what this thread does from now on, until `pop_range`; and says
  /// which part of the program is to be watched. Nothing happens where there is none.
  virtual void push_range(const char* name) = 0;
  virtual void pop_range() = 0;
  virtual void watch(bool on) = 0;
  /// The process is about to end: ends background threads. Devices still work, for finalisers.
  virtual void stop() = 0;
};

using PluginVersionFn = int();
using PluginFn = Plugin*();

}  // namespace cuprum
