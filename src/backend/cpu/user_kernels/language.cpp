#include "backend/cpu/user_kernels/language.h"

namespace cuprum::cpu {

namespace {

constexpr EmbeddedHeader kForwarding[] = {
    {"cuda.h", ""},
    {"cuda_runtime.h", ""},
    {"cuda_runtime_api.h", ""},
    {"device_launch_parameters.h", ""},
    {"device_functions.h", ""},
    {"device_atomic_functions.h", ""},
    {"device_types.h", ""},
    {"driver_types.h", ""},
    {"builtin_types.h", ""},
    {"host_defines.h", ""},
    {"math_functions.h", ""},
    {"sm_20_intrinsics.h", ""},
    {"sm_30_intrinsics.h", ""},
    {"vector_types.h", ""},
    {"vector_functions.h", ""},
    {"crt/host_defines.h", ""},
    {"crt/device_functions.h", ""},
    {"crt/math_functions.h", ""},
#define CUPRUM_STANDARD(name) \
  { "cuda/std/" #name, "#include <" #name ">\n#include \"cuprum_language/cuda_std.h\"\n" }
    CUPRUM_STANDARD(algorithm),
    CUPRUM_STANDARD(array),
    CUPRUM_STANDARD(atomic),
    CUPRUM_STANDARD(bit),
    CUPRUM_STANDARD(cassert),
    CUPRUM_STANDARD(climits),
    CUPRUM_STANDARD(cmath),
    CUPRUM_STANDARD(complex),
    CUPRUM_STANDARD(concepts),
    CUPRUM_STANDARD(cstddef),
    CUPRUM_STANDARD(cstdint),
    CUPRUM_STANDARD(functional),
    CUPRUM_STANDARD(initializer_list),
    CUPRUM_STANDARD(iterator),
    CUPRUM_STANDARD(limits),
    CUPRUM_STANDARD(numeric),
    CUPRUM_STANDARD(optional),
    CUPRUM_STANDARD(ratio),
    CUPRUM_STANDARD(span),
    CUPRUM_STANDARD(tuple),
    CUPRUM_STANDARD(type_traits),
    CUPRUM_STANDARD(utility),
    CUPRUM_STANDARD(variant),
#undef CUPRUM_STANDARD
};

}  // namespace

std::span<const EmbeddedHeader> forwarding_headers() { return kForwarding; }

const std::string& language_fingerprint() {
  static const auto* const value = new std::string(std::to_string(fingerprint(language_headers())) + "," +
                                                   std::to_string(fingerprint(forwarding_headers())));
  return *value;
}

}  // namespace cuprum::cpu
