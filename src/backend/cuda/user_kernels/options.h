// NVRTC's options of a program, as its compiler is given them.
#pragma once

#include <string>
#include <vector>

#include "jit/nvrtc.h"

namespace cuprum::cuda {

struct DeviceOptions {
  Target target;             // with all flags
  bool reads_files = false;  // of the program's own: what is compiled depends on more than the text
};

/// The program's options and those that it did not give: the architecture, the folders of the toolkit's headers, C++20 (which the headers of
/// the language are written in, as on the CPU), functions of the device where a text does not say of which.
DeviceOptions device_options(const std::vector<std::string>& options, int architecture);

}  // namespace cuprum::cuda
