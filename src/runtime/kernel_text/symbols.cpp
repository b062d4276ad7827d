#include "runtime/kernel_text/symbols.h"

#include <algorithm>

namespace cuprum {

std::vector<std::string> variable_symbols(const std::string& name) {
  std::string parts;
  std::size_t begin = 0;
  for (std::size_t end = 0; begin <= name.size(); begin = end + 2) {
    end = std::min(name.find("::", begin), name.size());
    parts += std::to_string(end - begin) + name.substr(begin, end - begin);
  }
  return {name, "_ZN" + parts + "E", "_ZL" + parts};
}

}  // namespace cuprum
