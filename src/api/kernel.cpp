// The public kernels: those of src/ops.
#include "cuprum/kernel.h"

#include <cstring>
#include <utility>

#include "api/handle.h"
#include "ops/kernel_arguments.h"
#include "runtime/devices.h"

namespace cuprum {

struct raw_kernel::compiled : ops::PortableKernel {
  using PortableKernel::PortableKernel;
};

struct kernel_access {
  static ops::KernelArgument argument(const kernel_argument& a) {
    if (a.array_) return Value(a.array_->implementation());
    if (a.bytes_.empty()) return ops::NullArgument{};
    if (!a.type_) return ops::StructArgument{a.bytes_};
    Scalar number;
    number.type = *a.type_;
    std::memcpy(number.bytes, a.bytes_.data(), a.bytes_.size());
    return Value(number);
  }
  static Backend& device(std::span<const kernel_argument> arguments) {
    for (const kernel_argument& a : arguments) {
      if (a.array_) return a.array_->implementation().backend().known_as();
    }
    return current_device();
  }
};

namespace {

Extent3 extent(const dim3& d) { return {d.x, d.y, d.z}; }

}  // namespace

raw_kernel::raw_kernel(const std::string& code, const std::string& name,
                       const std::vector<std::string>& options)
    : compiled_(std::make_shared<compiled>(ModuleSpec{.code = code, .options = options}, name)) {}

void raw_kernel::launch_with(const launch_config& config, std::span<const kernel_argument> arguments) const {
  std::vector<ops::KernelArgument> given;
  given.reserve(arguments.size());
  for (const kernel_argument& a : arguments) given.push_back(kernel_access::argument(a));
  ops::launch_checked("raw_kernel", compiled_->on(kernel_access::device(arguments)),
                      {extent(config.grid), extent(config.block), config.shared_bytes, config.cooperative},
                      given);
}

int raw_kernel::attribute(const std::string& key) const {
  return compiled_->on(current_device()).function->attribute(key);
}
void raw_kernel::set_attribute(const std::string& key, int value) const {
  compiled_->on(current_device()).function->set_attribute(key, value);
}

raw_module::raw_module(std::string code, std::vector<std::string> options,
                       std::vector<std::string> name_expressions)
    : code_(std::move(code)), options_(std::move(options)), name_expressions_(std::move(name_expressions)) {}

raw_kernel raw_module::get_function(const std::string& name) const {
  return raw_kernel(std::make_shared<raw_kernel::compiled>(
      ModuleSpec{.code = code_, .options = options_, .name_expressions = name_expressions_}, name));
}

array raw_module::get_global(const std::string& name, dtype type) const {
  const ModuleSpec spec{.code = code_, .options = options_, .name_expressions = name_expressions_};
  const Array bytes = ops::KernelModule::of(current_device(), spec)->global(name);
  const auto item = static_cast<std::int64_t>(itemsize(type));
  return array(bytes.view(type, {bytes.size() / item}, {item}, bytes.offset()));
}

}  // namespace cuprum
