#include "backend/cuda/user_kernels/module.h"

#include <map>
#include <mutex>
#include <utility>

#include "backend/cuda/current.h"
#include "backend/cuda/driver.h"
#include "backend/cuda/user_kernels/compile.h"
#include "backend/cuda/user_kernels/function.h"
#include "cuprum/error.h"
#include "runtime/kernel_text/symbols.h"
#include "runtime/made_once.h"

namespace cuprum::cuda {

namespace {

[[noreturn]] void refuse(CUresult status, const char* words) {
  const char* name = "";
  driver().cuGetErrorName(status, &name);
  throw LoadError("cuprum: the driver does not load the module (" + std::string(name) + ")" +
                  (*words ? std::string(":\n") + words : ""));
}

/// Machine code that the program brings may be none, or none for this device. A library is loaded when its first kernel is asked for, and
/// then nobody hears why it failed: so it is loaded once as a module, which tells.
void check_machine_code(const std::string& code) {
  char words[2048] = {};
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {words, reinterpret_cast<void*>(sizeof words)};
  CUmodule module = nullptr;
  const CUresult status = driver().cuModuleLoadDataEx(&module, code.c_str(), 2, options, values);
  if (status != CUDA_SUCCESS) refuse(status, words);
  driver().cuModuleUnload(module);
}

class CudaModule final : public UserModule {
 public:
  CudaModule(const DeviceFacts& facts, ModuleImage image) : facts_(facts), image_(std::move(image)) {
    const CUresult status =
        driver().cuLibraryLoadData(&library_, image_.code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0);
    if (status != CUDA_SUCCESS) refuse(status, "");
    image_.code.clear();
    image_.code.shrink_to_fit();
  }

  std::shared_ptr<UserFunction> function(const std::string& name) override {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<UserFunction>& function = functions_[name];
    if (function) return function;
    const Current current(facts_.device);
    const ModuleImage::Name* known = find(name);
    CUkernel kernel = nullptr;
    const CUresult status =
        driver().cuLibraryGetKernel(&kernel, library_, known ? known->symbol.c_str() : name.c_str());
    if (status != CUDA_SUCCESS) {
      functions_.erase(name);
      throw DeviceError("cuprum: the module has no kernel '" + name + "'; " + kernels() +
                        " (an instance of a template, or one of several overloads, has to be named in "
                        "name_expressions)");
    }
    CUfunction loaded = nullptr;
    check(driver().cuKernelGetFunction(&loaded, kernel), "loading a kernel");
    return function = std::make_shared<CudaFunction>(name, facts_, loaded, parameters_of(known));
  }

  std::pair<std::byte*, std::size_t> global(const std::string& name) override {
    const Current current(facts_.device);
    std::vector<std::string> symbols = variable_symbols(name);
    if (const ModuleImage::Name* known = find(name)) symbols.push_back(known->symbol);
    for (const std::string& symbol : symbols) {
      CUdeviceptr address = 0;
      std::size_t bytes = 0;
      if (driver().cuLibraryGetGlobal(&address, &bytes, library_, symbol.c_str()) == CUDA_SUCCESS)
        return {reinterpret_cast<std::byte*>(address), bytes};
    }
    throw DeviceError("cuprum: the module has no variable '" + name + "'");
  }

  std::string log() override { return image_.log; }

 private:
  const ModuleImage::Name* find(const std::string& name) const {
    for (const ModuleImage::Name& n : image_.names) {
      if (n.name == name) return &n;
    }
    return nullptr;
  }

  std::string kernels() const {
    std::string names;
    for (const ModuleImage::Name& n : image_.names) names += (names.empty() ? "'" : ", '") + n.name + "'";
    return names.empty() ? "none of its names is known" : "there are " + names;
  }

  /// The descriptions that stand in the module behind the program's text.
  std::optional<std::vector<ParameterType>> parameters_of(const ModuleImage::Name* known) const {
    if (!known || !image_.described) return std::nullopt;
    const std::string symbol = described_by(static_cast<std::size_t>(known - image_.names.data()));
    CUdeviceptr address = 0;
    std::size_t bytes = 0;
    if (driver().cuLibraryGetGlobal(&address, &bytes, library_, symbol.c_str()) != CUDA_SUCCESS)
      return std::nullopt;
    std::vector<cuprum_language::Parameter> described(bytes / sizeof(cuprum_language::Parameter));
    check(cudaMemcpy(described.data(), reinterpret_cast<void*>(address), bytes, cudaMemcpyDeviceToHost),
          "reading the parameters of a kernel");
    described.pop_back();  // the end of the list
    return parameter_types(described);
  }

  const DeviceFacts& facts_;
  ModuleImage image_;
  CUlibrary library_ = nullptr;  // never unloaded: modules live as long as the process
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<UserFunction>> functions_;
};

}  // namespace

std::shared_ptr<UserModule> compile_on_device(const DeviceFacts& facts, const ModuleSpec& spec) {
  static auto* const modules = new MadeOnce<std::shared_ptr<UserModule>>;
  return modules->get(std::to_string(facts.device) + ' ' + spec.key(), [&]() -> std::shared_ptr<UserModule> {
    ModuleImage image = compile_module(spec, facts.architecture);
    const Current current(facts.device);
    if (spec.form == ModuleSpec::Form::machine_code) check_machine_code(image.code);
    return std::make_shared<CudaModule>(facts, std::move(image));
  });
}

}  // namespace cuprum::cuda
