#include "ops/kernel.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/inline_vector.h"
#include "cuprum/error.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

constexpr std::size_t kAddress = sizeof(std::byte*), kAlignment = 16;  // of a parameter (Launch::bytes)

struct Modules {
  std::mutex mutex;
  std::unordered_map<std::string, std::shared_ptr<KernelModule>> all;
};

Modules& modules() {
  static auto* const modules =
      new Modules;  // never destroyed: arrays over its variables outlive static destructors
  return *modules;
}

template <class F>
auto found(F&& look_up) {
  try {
    return look_up();
  } catch (const DeviceError& e) {
    throw LoadError(std::string(e.what()) + " (CUDA_ERROR_NOT_FOUND: named symbol not found)");
  }
}

void check_array(const char* caller, const KernelFunction& kernel, std::size_t number,
                 const LaunchArgument& a) {
  const auto which = [&] {
    return std::string("cuprum.") + caller + ": " + kernel.function->name + ": argument " +
           std::to_string(number + 1);
  };
  const Backend& here = kernel.module->device;
  if (&a.array->backend() != &here)
    throw TypeError(which() + " is on " + a.array->backend().name() + ", the kernel runs on " + here.name() +
                    "; write x.to_device('" + here.name() + "') to copy it to " + here.name());
  if (a.written && !a.array->writeable()) {
    throw ValueError(which() + " is a read-only array, and the kernel may write it; write x.copy(), or " +
                     "declare the parameter as a pointer to const");
  }
}

constexpr std::size_t rounded_up(std::size_t size) {
  return (size + kAlignment - 1) / kAlignment * kAlignment;
}

/// Places a parameter behind the others.
void append(Launch& launch, Launch::Parameter parameter, std::span<const std::byte> bytes) {
  parameter.at = static_cast<std::uint32_t>(launch.bytes.size());
  parameter.size = static_cast<std::uint32_t>(std::max(bytes.size(), parameter.operand < 0 ? 0 : kAddress));
  launch.parameters.push_back(parameter);
  launch.bytes.resize(rounded_up(parameter.at + parameter.size));
  std::copy(bytes.begin(), bytes.end(), launch.bytes.begin() + parameter.at);
}

}  // namespace

bool computes_on_host(const Backend& device) {
  static thread_local const Backend* asked = nullptr;  // devices live as long as the process
  static thread_local bool answer = true;
  if (asked != &device) {
    answer = device.info().compute_capability == 0;
    asked = &device;
  }
  return answer;
}

std::shared_ptr<KernelModule> KernelModule::of(Backend& device, const ModuleSpec& spec) {
  Modules& known = modules();
  const std::string key = device.name() + ('\n' + spec.key());
  {
    const std::lock_guard guard(known.mutex);
    if (const auto found = known.all.find(key); found != known.all.end()) return found->second;
  }
  std::shared_ptr<UserModule> compiled;
  {
    const BlockingSection others_run;
    compiled = device.compile(spec);
  }
  const std::lock_guard guard(known.mutex);
  auto& module = known.all[key];
  if (!module)
    module = std::make_shared<KernelModule>(device, std::move(compiled));  // else another thread was first
  return module;
}

std::shared_ptr<UserFunction> KernelModule::function(const std::string& name) {
  return found([&] { return compiled_->function(name); });
}

Array KernelModule::global(const std::string& name) {
  const auto [data, nbytes] = found([&] { return compiled_->global(name); });
  const std::lock_guard guard(mutex_);
  for (const Global& g : globals_) {
    if (g.name == name) return g.bytes;
  }
  has_globals_ = true;
  const auto n = static_cast<std::int64_t>(nbytes);
  auto* owner = new std::shared_ptr<UserModule>(compiled_);
  const auto release = [](void* o) { delete static_cast<std::shared_ptr<UserModule>*>(o); };
  globals_.push_back(
      {name, from_foreign(device, data, nbytes, dtype::uint8, {n}, {1}, 0, true, release, owner)});
  return globals_.back().bytes;
}

std::vector<Array> KernelModule::known_globals() const {
  if (!has_globals_) return {};
  const std::lock_guard guard(mutex_);
  std::vector<Array> known;
  for (const Global& g : globals_) known.push_back(g.bytes);
  return known;
}

const KernelFunction& PortableKernel::on(Backend& device) {
  const KernelFunction* const latest = latest_.load(std::memory_order_acquire);
  return latest && &latest->module->device == &device ? *latest : look_up(device);
}

const KernelFunction& PortableKernel::look_up(Backend& device) {
  const auto known = [&]() -> const KernelFunction* {
    for (const KernelFunction& f : compiled_) {
      if (&f.module->device != &device) continue;
      latest_.store(&f, std::memory_order_release);
      return &f;
    }
    return nullptr;
  };
  {
    const std::lock_guard guard(mutex_);
    if (const KernelFunction* f = known()) return *f;
  }
  KernelFunction compiled(KernelModule::of(device, spec_), name_);
  const std::lock_guard guard(mutex_);
  if (!known()) compiled_.push_back(std::move(compiled));  // else another thread was first
  return *known();
}

void launch(const char* caller, const KernelFunction& kernel, const LaunchShape& shape,
            std::span<const LaunchArgument> arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].array) move_over(*arguments[i].array);
    if (arguments[i].array) check_array(caller, kernel, i, arguments[i]);
  }
  const std::vector<Array> globals = kernel.module->known_globals();
  Launch p{kernel.function, shape.grid, shape.block, shape.shared_bytes, shape.cooperative, {}, {}};
  p.parameters.reserve(arguments.size());
  std::size_t nbytes = 0;
  for (const LaunchArgument& a : arguments) nbytes += rounded_up(std::max(a.bytes.size(), kAddress));
  p.bytes.reserve(nbytes);
  InlineVector<View, kFewArguments> in(arguments.size()), out(arguments.size() + globals.size());
  BackendCall call(kernel.module->device);
  for (const LaunchArgument& a : arguments) {
    Launch::Parameter parameter;
    if (a.array) {
      auto& views = a.written ? out : in;
      parameter = {.operand = static_cast<std::int32_t>(views.size()), .written = a.written};
      views.emplace_back(a.written ? writable(*a.array) : readable(*a.array));
    }
    append(p, parameter, a.bytes);
  }
  for (const Array& global : globals) out.emplace_back(writable(global));
  kernel.function->check(p);
  call(std::move(p), Operands(in.data(), in.size()), Operands(out.data(), out.size()));
}

}  // namespace cuprum::ops
