#include "backend/cpu/user_kernels/checked/checked_module.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>

#include "backend/cpu/user_kernels/checked/block_checker.h"
#include "backend/cpu/user_kernels/translate.h"

namespace cuprum::cpu {

namespace {

/// The name that a program gave to what a symbol stands for: "tile" for _ZZ6kernelPfE4tile.
std::string own_name(const std::string& symbol) {
  int status = 0;
  char* demangled = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  std::string name = status == 0 && demangled ? demangled : symbol;
  std::free(demangled);
  const std::size_t colons = name.rfind("::");
  return colons == std::string::npos ? name : name.substr(colons + 2);
}

/// One of the language's headers' own (threads.h).
bool is_language(const std::string& symbol) {
  constexpr std::string_view kIndices[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
  return symbol.find("cuprum_language") != std::string::npos ||
         std::ranges::any_of(kIndices, [&](auto name) { return own_name(symbol) == name; });
}

}  // namespace

CheckedModule::CheckedModule(const LoadedImage& loaded, std::string_view image, std::string text)
    : code(std::move(text)), lines(image), loaded_(loaded), base_(loaded.base()) {
  for (const auto& [symbol, variable] : loaded.variables()) {
    data_ = data_ ? std::min<const std::byte*>(data_, variable.address) : variable.address;
    data_end_ = std::max<const std::byte*>(data_end_, variable.address + variable.bytes);
  }
  for (const auto& [symbol, variable] : loaded.thread_variables()) {
    thread_bytes_ = std::max(thread_bytes_, variable.at + variable.bytes);
    if (symbol.starts_with(cuprum_language::kGuard)) continue;
    const bool dynamic = symbol == kDynamicShared;
    variables_.push_back({dynamic ? "dynamic shared memory" : "shared variable " + own_name(symbol),
                          variable.at, variable.bytes, is_language(symbol), dynamic});
  }
  std::ranges::sort(variables_, {}, &ThreadVariable::at);
  *static_cast<const cuprum_language::Checks**>(loaded.find(cuprum_language::kChecks)) =
      &BlockChecker::checks();
}

const ThreadVariable* CheckedModule::variable_before(std::size_t at) const {
  const auto behind = std::ranges::upper_bound(variables_, at, {}, &ThreadVariable::at);
  return behind == variables_.begin() ? nullptr : &*(behind - 1);
}

const ThreadVariable* CheckedModule::shared_near(std::size_t at) const {
  const ThreadVariable* found = nullptr;
  for (const ThreadVariable& v : variables_) {
    if (!v.language && (!found || v.at <= at)) found = &v;
  }
  return found;
}

}  // namespace cuprum::cpu
