// Which devices there are, which one new arrays live on, and why a device cannot be had.
//
// CUPRUM_DEVICE (cpu, cuda, cuda:N, auto; reference and far are for tests) chooses the device of the process; unset, a CUDA
// device if one works, else the CPU; `auto` is that device with a host's side (runtime/host_side.h), `auto:far` another one. A thread may use another one for a while (`with cp.Device(...)`). A plug-in is
// looked for beside libcuprum.so, by an absolute path, when a CUDA device is first asked for; a failure is kept as a
// sentence with its remedy, and the CPU goes on working.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/backend.h"

namespace cuprum {

/// The backend called `name`: "cpu", "cuda" (the first), "cuda:1", "reference", "far", "auto", "auto:far". Throws ValueError for what is no
/// device, DeviceError with reason and remedy for one that cannot be had.
Backend& backend_named(std::string_view name);

/// The one name of the device that a text means ("cuda:0" for "cuda"), whether it can be had or not; nullopt: no device.
std::optional<std::string> device_called(std::string_view text);

/// The device that new arrays of this thread live on. For those who make arrays out of nothing, the creation functions of the
/// binding and of the public API; below them a device is always given.
Backend& default_backend();

/// The same as the program knows it: for streams, pools and kernels.
Backend& current_device();
/// What a program means that names a device for its arrays: where the process has chosen `auto`, its accelerator is that.
Backend& backend_to_enter(std::string_view name);
/// The name by which it is entered again.
std::string entry_name(const Backend& backend);

/// The device of this thread from now on; nullptr: the process's. Returns what was set before.
Backend* set_thread_backend(Backend* backend);

struct DeviceReport {
  std::string name;
  std::string description;  // of the hardware
  std::string problem;      // empty: it works
};

/// Every device that was looked for. Opens none.
std::vector<DeviceReport> device_reports();

/// What the CUDA plug-in found besides devices; lines "name: where".
std::vector<std::string> cuda_notes();

/// Number of CUDA devices that the driver shows; 0 when CUDA cannot be used, and then cuda_problem() says why.
int cuda_device_count();
/// Of such a device, as in "0000:3b:00.0".
std::string cuda_pci_bus_id(int device);
/// The newest CUDA that the driver supports, and that of the plug-in: 13000 for 13.0. Zeros where CUDA cannot be used.
std::pair<int, int> cuda_versions();
std::string cuda_problem();

/// Waits until kernels that are compiled in the background are ready: for measurements and tests.
void finish_compiling();

/// Ends the background threads of every device, before static objects are destroyed under them. The Python package calls it
/// when the interpreter ends; devices still work.
void stop_devices();

/// For NVIDIA's profilers, where CUDA is in use: names what this thread does, and says which part of the program they watch.
void push_range(const char* name);
void pop_range();
void watch(bool on);

/// Folders in which NVIDIA's wheels may be installed (the parent of this package, sys.path). Set by the Python package.
void set_package_folders(std::vector<std::string> folders);
std::vector<std::string> package_folders();

}  // namespace cuprum
