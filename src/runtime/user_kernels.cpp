#include "runtime/user_kernels.h"

#include <algorithm>

namespace cuprum {

std::string ModuleSpec::key() const {
  std::string key;
  const auto add = [&](const std::string& text) { key += std::to_string(text.size()) + ':' + text; };
  const auto add_all = [&](const std::vector<std::string>& texts) {
    key += std::to_string(texts.size()) + ',';
    std::for_each(texts.begin(), texts.end(), add);
  };
  add_all(options);
  add_all(name_expressions);
  key += std::to_string(static_cast<int>(form)) + (checked ? '!' : '.');
  return key + code;
}

void launch_on_host(const Launch& launch, std::span<const View> in, std::span<const View> out) {
  LaunchArguments arguments;
  void** const filled =
      arguments.fill(launch, in, out, [](const View& view) { return static_cast<std::byte*>(view.data); });
  static_cast<const HostKernel&>(*launch.function).run(launch, filled, in, out);
}

}  // namespace cuprum
