#include "cuprum/device.h"

#include "api/handle.h"
#include "expr/engine.h"
#include "ops/transfer.h"
#include "runtime/devices.h"
#include "runtime/lock.h"
#include "runtime/trace.h"

namespace cuprum {

device_scope::device_scope(std::string_view device)
    : before_(set_thread_backend(&backend_to_enter(device))) {}
device_scope::~device_scope() { set_thread_backend(before_); }

namespace {

device_info info_of(const Backend& device) {
  const DeviceInfo info = device.info();
  device_info told{device.name(),   info.description,  info.compute_capability, info.multiprocessors,
                   info.free_bytes, info.memory_bytes, device.asynchronous,     device.host_accessible()};
  for (const auto& [name, value] : device.attributes()) told.attributes[name] = value;
  return told;
}

}  // namespace

device_info get_device_info() { return info_of(current_device()); }
device_info get_device_info(std::string_view device) { return info_of(backend_named(device).known_as()); }

std::vector<device_report> find_devices() {
  std::vector<device_report> reports;
  for (const DeviceReport& r : device_reports()) reports.push_back({r.name, r.description, r.problem});
  return reports;
}
bool is_available() { return cuda_device_count() > 0; }
std::string get_compute_capability() {
  const int capability = current_device().info().compute_capability;
  return capability != 0 ? std::to_string(capability) : "";
}

std::string device_of(const array& a) { return a.implementation().backend().name(); }
array to_device(const array& a, std::string_view device) {
  return array(ops::on_backend(a.implementation(), backend_to_enter(device)));
}
void synchronize(std::string_view device) {
  Backend& backend = backend_named(device).known_as();
  evaluate_all(backend);
  const tracing::HostSpan waiting(tracing::Kind::wait, "Device.synchronize");
  const BlockingSection others_run;
  backend.synchronize();
}

}  // namespace cuprum
