// Compiles a program's kernels for the host and launches them on vectors, for tests.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "runtime/user_kernels.h"

namespace cuprum::testing {

inline std::shared_ptr<UserModule> compile(const std::string& code, std::vector<std::string> names = {},
                                           std::vector<std::string> options = {}) {
  return compile_on_host(ModuleSpec{code, std::move(options), std::move(names)});
}

/// Bytes of dynamic shared memory, and whether blocks may wait for each other: an argument of `launch` before the kernel's own.
struct Shared {
  std::uint32_t bytes = 0;
  bool cooperative = false;
};

template <class... Arguments>
void launch(const std::shared_ptr<UserModule>& module, const std::string& name, Extent3 grid, Extent3 block,
            Shared shared, Arguments... arguments) {
  Launch l;
  l.function = module->function(name);
  l.grid = grid;
  l.block = block;
  l.shared_bytes = shared.bytes;
  l.cooperative = shared.cooperative;
  std::vector<void*> addresses{static_cast<void*>(&arguments)...};
  (l.parameters.push_back({-1, false, 0, sizeof arguments}), ...);
  static_cast<const HostKernel&>(*l.function).run(l, addresses.data(), {}, {});
}

template <class... Arguments>
void launch(const std::shared_ptr<UserModule>& module, const std::string& name, Extent3 grid, Extent3 block,
            Arguments... arguments) {
  launch(module, name, grid, block, Shared{}, arguments...);
}

}  // namespace cuprum::testing
