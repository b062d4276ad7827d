#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "backend/cpu/backend.h"
#include "backend/cpu/user_kernels/checked/checked_module.h"
#include "backend/cpu/user_kernels/compile.h"
#include "backend/cpu/user_kernels/function.h"
#include "backend/cpu/user_kernels/image.h"
#include "cuprum/error.h"
#include "runtime/kernel_text/symbols.h"
#include "runtime/launch_checks.h"
#include "runtime/made_once.h"
#include "runtime/settings.h"
#include "runtime/user_kernels.h"

namespace cuprum {

namespace cpu {

namespace {

class HostModule final : public UserModule {
 public:
  HostModule(ModuleSpec spec, std::string_view image) : spec_(std::move(spec)), image_(image) {
    if (spec_.checked) checked_ = std::make_unique<CheckedModule>(image_, image, spec_.code);
    const auto* entry = static_cast<const lang::Entry*>(image_.find(lang::kEntries));
    for (; entry && entry->name; ++entry) entries_[entry->name] = entry;
  }

  std::shared_ptr<UserFunction> function(const std::string& name) override {
    const auto found = entries_.find(name);
    if (found == entries_.end() || !found->second->thread) {
      throw DeviceError("cuprum: the module has no kernel '" + name + "'; " + kernels() +
                        " (an instance of a template, or one of several overloads, has to be named in "
                        "name_expressions)");
    }
    const std::lock_guard lock(mutex_);
    std::shared_ptr<UserFunction>& function = functions_[name];
    if (!function) {
      const int shared = shared_bytes(name);
      check_static_shared(name, shared);
      function = std::make_shared<HostFunction>(*found->second, shared, checked_.get());
    }
    return function;
  }

  std::pair<std::byte*, std::size_t> global(const std::string& name) override {
    if (const auto found = entries_.find(name); found != entries_.end() && found->second->address)
      return {static_cast<std::byte*>(found->second->address), found->second->bytes};
    for (const std::string& symbol : variable_symbols(name)) {
      if (const auto found = image_.variables().find(symbol); found != image_.variables().end())
        return {found->second.address, found->second.bytes};
    }
    throw DeviceError("cuprum: the module has no variable '" + name + "'");
  }

  std::string log() override { return warnings_of(spec_); }

 private:
  std::string kernels() const {
    std::string names;
    for (const auto& [name, entry] : entries_) {
      if (entry->thread) names += (names.empty() ? "'" : ", '") + name + "'";
    }
    return names.empty() ? "it has none" : "there are " + names;
  }

  /// Of the __shared__ variables in a kernel, whose symbols say in which function they stand (_ZZ<length><name>...).
  int shared_bytes(const std::string& name) const {
    const std::string path = name.substr(0, name.find('<'));
    const std::size_t colons = path.rfind("::");
    const std::string base = colons == std::string::npos ? path : path.substr(colons + 2);
    const std::string part = std::to_string(base.size()) + base;
    std::size_t bytes = 0;
    for (const auto& [symbol, variable] : image_.thread_variables()) {
      if (symbol.starts_with("_ZZ") && symbol.find(part) != std::string::npos) bytes += variable.bytes;
    }
    return static_cast<int>(bytes);
  }

  const ModuleSpec spec_;
  LoadedImage image_;
  std::unique_ptr<CheckedModule> checked_;
  std::map<std::string, const lang::Entry*> entries_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<UserFunction>> functions_;
};

}  // namespace

void call(const Launch& p, Operands in, Operands out) { launch_on_host(p, in, out); }

}  // namespace cpu

std::shared_ptr<UserModule> compile_on_host(const ModuleSpec& spec) {
  static auto* const modules = new MadeOnce<std::shared_ptr<UserModule>>;
  if (spec.form == ModuleSpec::Form::machine_code) {
    throw LoadError(
        "cuprum.RawModule: the file is machine code of a GPU, which cpu and far cannot run; write "
        "cp.RawModule(code=...) with the text that it was made of (CUDA_ERROR_NO_BINARY_FOR_GPU)");
  }
  ModuleSpec asked = spec;
  asked.form = ModuleSpec::Form::nvrtc;
  asked.checked |= settings().check_kernels;
  return modules->get(asked.key(), [&]() -> std::shared_ptr<UserModule> {
    return std::make_shared<cpu::HostModule>(asked, cpu::compile_image(asked));
  });
}

}  // namespace cuprum
