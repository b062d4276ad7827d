#include "ops/kernel_prelude.h"

#include <algorithm>
#include <utility>

#include "core/loop_sharing.h"

namespace cuprum::ops {

namespace {

bool has_type(const ParameterTypes& types, bool (*is)(dtype)) {
  return std::any_of(types.in.begin(), types.in.end(), is) ||
         std::any_of(types.out.begin(), types.out.end(), is);
}

}  // namespace

std::string number_prelude(const ParameterTypes& types, std::string_view text) {
  struct Part {
    const char* word;
    bool (*is)(dtype);
    const char* text;
  };
  static constexpr Part parts[] = {
      {"complex", is_complex, "#include \"kernels/user/complex.h\"\n"},
      {"float16", is_small_float, "#include \"kernels/user/small_floats.h\"\n"},
      {"bfloat16", is_small_float, "#include \"kernels/user/small_floats.h\"\n"},
  };
  std::string prelude;
  for (const Part& part : parts) {
    if (has_type(types, part.is) || mentions(text, {&part.word, 1})) prelude += part.text;
  }
  return prelude;
}

std::string kernel_prelude(const ParameterTypes& types, std::string_view text) {
  return number_prelude(types, text) + "#include \"kernels/user/carray.h\"\n";
}

ModuleSpec loop_module(std::string text, const std::vector<std::string>& options) {
  ModuleSpec spec;
  spec.code = std::move(text);
  spec.options.emplace_back("--fmad=false");
  spec.options.insert(spec.options.end(), options.begin(), options.end());
  return spec;
}

}  // namespace cuprum::ops
