// cuprum/device.h
#include "examples.h"

TEST(Examples, device) {
  // device_scope::device_scope
  {
    const cp::device_scope host("cpu");
    shows(cp::device_of(cp::zeros({2})), "cpu");
  }
  // get_device_info
  {
    shows(cp::get_device_info().name == cp::device(), "true");
    shows(cp::get_device_info("cpu").host_accessible, "true");
  }
  // find_devices
  {
    std::vector<std::string> working;
    for (const cp::device_report& found : cp::find_devices()) {
      if (found.problem.empty()) working.push_back(found.name);
    }
    shows(working.empty(), "false");
  }
  // is_available
  {
    const std::string fastest = cp::is_available() ? "cuda" : "cpu";
    shows(cp::get_device_info(fastest).name.starts_with(fastest), "true");
  }
  // get_compute_capability
  {
    const cp::device_scope host("cpu");
    shows(cp::get_compute_capability().empty(), "true");
  }
  // device_of
  shows(cp::device_of(cp::zeros({2})) == cp::device(), "true");
  // to_device
  {
    const cp::array a = cp::arange(3);
    shows(cp::device_of(cp::to_device(a, "cpu")), "cpu");
  }
  // synchronize
  {
    const cp::array a = cp::arange(3) * 2;
    cp::synchronize(cp::device());
    shows(a.is_pending(), "false");
  }
}
