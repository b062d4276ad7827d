#include "backend/cpu/user_kernels/language.h"

namespace cuprum::cpu {

const std::string& language_fingerprint() {
  static const auto* const value = new std::string(std::to_string(fingerprint(language_headers())));
  return *value;
}

}  // namespace cuprum::cpu
