#include "backend/cuda/user_kernels/options.h"

#include <string_view>

#include "backend/cuda/libraries.h"

namespace cuprum::cuda {

namespace {

/// The value of an option that begins with one of these, or none.
bool begins(std::string_view option, std::initializer_list<std::string_view> names, std::string_view& value) {
  for (const std::string_view name : names) {
    if (!option.starts_with(name)) continue;
    value = option.substr(name.size());
    return true;
  }
  return false;
}

bool is_old(std::string_view standard) {
  return standard == "c++03" || standard == "c++11" || standard == "c++14" || standard == "c++17";
}

}  // namespace

DeviceOptions device_options(const std::vector<std::string>& options, int architecture) {
  DeviceOptions result;
  result.target = plain_target_for(architecture);
  std::vector<std::string>& flags = result.target.flags;
  bool has_standard = false;
  for (const std::string& option : options) {
    std::string_view value;
    if (begins(option, {"--gpu-architecture=", "-arch="}, value)) {
      result.target.machine_code = value.starts_with("sm_");
      flags[0] = option;
    } else if (begins(option, {"--std=", "-std="}, value)) {
      flags.push_back(is_old(value) ? "--std=c++20" : option);
      has_standard = true;
    } else {
      result.reads_files |= begins(option, {"-I", "--include-path", "-include", "--pre-include"}, value);
      flags.push_back(option);
    }
  }
  if (!has_standard) flags.emplace_back("--std=c++20");
  flags.emplace_back("--device-as-default-execution-space");
  for (const std::string& folder : nvidia_header_folders()) flags.push_back("--include-path=" + folder);
  return result;
}

}  // namespace cuprum::cuda
