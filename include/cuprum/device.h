// Devices: which there are, what they are, and where new arrays live for a while.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cuprum/array.h"

namespace cuprum {

class Backend;  // the library's own

/// While it lives, new arrays of this thread live on that device: "cpu", "cuda", "cuda:1".
class device_scope {
 public:
  explicit device_scope(std::string_view device);
  ~device_scope();
  device_scope(const device_scope&) = delete;
  device_scope& operator=(const device_scope&) = delete;

 private:
  Backend* before_;
};

/// What a device is.
struct device_info {
  std::string name;                            // "cpu", "cuda:0"
  std::string description;                     // the model, in the maker's words
  int compute_capability = 0;                  // 90 for 9.0; 0: no CUDA device
  int multiprocessors = 0;                     // 0: not known
  std::size_t free_bytes = 0;                  // of its memory; 0: not known
  std::size_t total_bytes = 0;                 // of its memory; 0: not known
  bool asynchronous = false;                   // work may still run when a call returns
  bool host_accessible = false;                // the host reads and writes its memory
  std::map<std::string, int> attributes = {};  // CUDA's, by CUDA's names: "MaxThreadsPerBlock"
};
/// Of the device that new arrays live on.
device_info get_device_info();
/// Of a device by its name.
device_info get_device_info(std::string_view device);

/// A device that was looked for.
struct device_report {
  std::string name;
  std::string description;
  std::string problem;  // why it cannot be used, and what to do; empty: it works
};
/// Every device that was looked for, with the reason where it cannot be used.
std::vector<device_report> find_devices();
/// Is there a CUDA device that works?
bool is_available();
/// CUDA's of the current device, as in "90"; empty elsewhere.
std::string get_compute_capability();

/// The name of the device that an array lives on.
std::string device_of(const array& a);
/// The array on a device: itself if it is there already, else a copy.
array to_device(const array& a, std::string_view device);
/// Evaluates what is pending on a device, and waits until it is done.
void synchronize(std::string_view device);

}  // namespace cuprum
