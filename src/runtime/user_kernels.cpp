#include "runtime/user_kernels.h"

namespace cuprum {

void launch_on_host(const Launch& launch, std::span<const View> in, std::span<const View> out) {
  std::vector<std::byte> bytes;
  std::vector<void*> arguments = launch_arguments(
      launch, bytes, in, out, [](const View& view) { return static_cast<std::byte*>(view.data); });
  launch.function->run(launch, arguments.data(), in, out);
}

}  // namespace cuprum
