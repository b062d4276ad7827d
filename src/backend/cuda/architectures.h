// Which devices can run what nvcc made for a list of architectures, written as CMake's CUDA_ARCHITECTURES: "80-real,90".
#pragma once

#include <string_view>

namespace cuprum::cuda {

/// Machine code ("-real") serves its major version from its minor on; PTX ("-virtual", and what has no suffix) every later
/// device; names with a letter ("90a") that device alone. "native" was compiled for the device of the build.
constexpr bool runs_on(std::string_view architectures, int device) {
  while (!architectures.empty()) {
    const std::size_t comma = architectures.find(',');
    const std::string_view entry = architectures.substr(0, comma);
    architectures = comma == std::string_view::npos ? std::string_view{} : architectures.substr(comma + 1);
    int number = 0;
    std::size_t digits = 0;
    while (digits < entry.size() && entry[digits] >= '0' && entry[digits] <= '9')
      number = number * 10 + (entry[digits++] - '0');
    const std::string_view suffix = entry.substr(digits);
    if (digits == 0) return true;
    if (!suffix.empty() && suffix[0] != '-') {
      if (device == number) return true;
    } else if (suffix == "-real") {
      if (device / 10 == number / 10 && device >= number) return true;
    } else if (device >= number) {
      return true;
    }
  }
  return false;
}

static_assert(runs_on("90", 90) && runs_on("90", 120) && !runs_on("90", 89));
static_assert(runs_on("80-real,90-real", 86) && !runs_on("80-real", 90) && runs_on("80-virtual", 90));
static_assert(runs_on("90a-real", 90) && !runs_on("90a-real", 100) && runs_on("native", 75));

}  // namespace cuprum::cuda
