#include <algorithm>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "backend/cpu/backend.h"
#include "backend/cpu/user_kernels/checked/checked_module.h"
#include "backend/cpu/user_kernels/compile.h"
#include "backend/cpu/user_kernels/function.h"
#include "backend/cpu/user_kernels/image.h"
#include "cuprum/error.h"
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
    if (!function)
      function = std::make_shared<HostFunction>(*found->second, shared_bytes(name), checked_.get());
    return function;
  }

  std::pair<std::byte*, std::size_t> global(const std::string& name) override {
    if (const auto found = entries_.find(name); found != entries_.end() && found->second->address)
      return {static_cast<std::byte*>(found->second->address), found->second->bytes};
    for (const std::string& symbol : {name, mangled(name, "_ZN"), mangled(name, "_ZL")}) {
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

  /// The symbol of a variable a::b (_ZN1a1bE), or of one of a single file (_ZL1b).
  static std::string mangled(const std::string& name, const std::string& prefix) {
    std::string symbol = prefix;
    std::size_t begin = 0;
    for (std::size_t end = 0; begin <= name.size(); begin = end + 2) {
      end = std::min(name.find("::", begin), name.size());
      symbol += std::to_string(end - begin) + name.substr(begin, end - begin);
    }
    return prefix == "_ZN" ? symbol + "E" : symbol;
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

/// The modules of this process. A second thread that asks for one that is being compiled waits for it.
class ModuleTable {
 public:
  std::shared_ptr<UserModule> get(const ModuleSpec& spec) {
    const std::string key = key_of(spec);
    std::unique_lock lock(mutex_);
    for (;;) {
      const auto [row, is_new] = rows_.try_emplace(key);
      if (row->second) return row->second;
      if (is_new) break;
      finished_.wait(lock);
    }
    lock.unlock();
    std::shared_ptr<UserModule> module;
    try {
      module = std::make_shared<HostModule>(spec, compile_image(spec));
    } catch (...) {
      finish(key, nullptr);
      throw;
    }
    finish(key, module);
    return module;
  }

 private:
  void finish(const std::string& key, const std::shared_ptr<UserModule>& module) {
    const std::lock_guard lock(mutex_);
    if (module)
      rows_[key] = module;
    else
      rows_.erase(key);  // whoever waits tries it again
    finished_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable finished_;
  std::map<std::string, std::shared_ptr<UserModule>> rows_;  // null: being compiled
};

}  // namespace

void call(const Launch& p, Operands in, Operands out) { launch_on_host(p, in, out); }

}  // namespace cpu

std::shared_ptr<UserModule> compile_on_host(const ModuleSpec& spec) {
  static auto* const modules = new cpu::ModuleTable;
  if (!settings().check_kernels) return modules->get(spec);
  ModuleSpec checked = spec;
  checked.checked = true;
  return modules->get(checked);
}

}  // namespace cuprum
