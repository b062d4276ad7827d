// NVRTC's options, as a C++ compiler takes them.
#pragma once

#include <string>
#include <vector>

namespace cuprum::cpu {

struct HostOptions {
  std::vector<std::string> preprocess;  // -D, -U, -I, -include
  std::vector<std::string> compile;
  std::string standard = "gnu++20";
  bool reads_files = false;  // headers of the program's own: what they hold is part of what is compiled
};

/// Options that speak of GPUs alone are passed over. Throws CompileError for one that NVRTC would not know either.
HostOptions host_options(const std::vector<std::string>& options);

}  // namespace cuprum::cpu
