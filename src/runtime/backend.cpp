#include "runtime/backend.h"

#include <cstdlib>
#include <string>
#include <string_view>

#include "cuprum/error.h"

namespace cuprum {

namespace {

Backend& choose() {
  const char* asked = std::getenv("CUPRUM_DEVICE");
  const std::string_view device = asked ? asked : "cpu";
  if (device == "cpu" || device.empty()) return cpu_backend();
  if (device == "reference") return reference_backend();
  throw ValueError("cuprum: CUPRUM_DEVICE is '" + std::string(device) +
                   "', which is no device of this library; set it to 'cpu', or leave it unset");
}

}  // namespace

Backend& default_backend() {
  static Backend& backend = choose();
  return backend;
}

}  // namespace cuprum
