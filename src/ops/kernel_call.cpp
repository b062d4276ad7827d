#include "ops/kernel_call.h"

#include "cuprum/error.h"
#include "ops/support.h"

namespace cuprum::ops {

KernelCall::KernelCall(const char* function, const std::string& name,
                       std::span<const KernelParameter> in_parameters,
                       std::span<const KernelParameter> out_parameters, std::span<const Value> in,
                       std::span<const Value> out, Backend* device)
    : function(function),
      name(name),
      in_parameters(in_parameters),
      out_parameters(out_parameters),
      in(in),
      out(out) {
  std::vector<std::optional<dtype>> in_types, out_types;
  for (const Value& v : in) {
    in_types.push_back(v.is_array() ? std::optional(v.array().type()) : std::nullopt);
  }
  for (const Value& v : out) {
    if (!v.is_array()) {
      throw TypeError("Output arguments type must be cuprum.ndarray (" + std::string("cuprum.") + function +
                      " '" + name + "'), given " + v.describe());
    }
    out_types.emplace_back(v.array().type());
  }
  types = resolve_types(function, in_parameters, out_parameters, in_types, out_types);
  for (std::size_t i = 0; i < count(); ++i) {
    const Array* a = array(i);
    if (!a) continue;
    Backend& there = a->backend().known_as();
    if (this->device && this->device != &there) {
      throw TypeError(std::string("cuprum.") + function + ": arrays of two devices in one call of '" + name +
                      "', " + this->device->name() + " and " + there.name() + "; write " + parameter(i).name +
                      ".to_device('" + this->device->name() + "')");
    }
    this->device = &there;
  }
  if (!this->device && device) this->device = &device->known_as();
}

const Array* KernelCall::array(std::size_t i) const {
  const Value& v = i < in.size() ? in[i] : out[i - in.size()];
  return v.is_array() ? &v.array() : nullptr;
}

const KernelParameter& KernelCall::parameter(std::size_t i) const {
  return i < in.size() ? in_parameters[i] : out_parameters[i - in.size()];
}

std::optional<Dims> KernelCall::broadcast(std::size_t n) const {
  std::vector<Dims> shapes;
  for (std::size_t i = 0; i < n; ++i) {
    if (const Array* a = array(i); a && !parameter(i).raw) shapes.push_back(a->shape());
  }
  if (shapes.empty()) return std::nullopt;
  return broadcast_shapes(function, shapes.data(), static_cast<int>(shapes.size()));
}

std::vector<Array> KernelCall::results(const Dims& shape, bool raw_may_be_new) const {
  std::vector<Array> arrays;
  for (std::size_t i = 0; i < out_parameters.size(); ++i) {
    if (!out.empty()) {
      const Array& given = out[i].array();
      if (!out_parameters[i].raw && !(given.shape() == shape)) {
        refuse("Out shape is mismatched: '" + out_parameters[i].name + "' has shape " +
               to_string(given.shape()) + ", the loop " + to_string(shape));
      }
      if (!given.writeable())
        refuse("output '" + out_parameters[i].name + "' is read-only; write it to a copy()");
      arrays.push_back(given);
    } else {
      if (out_parameters[i].raw && !raw_may_be_new) {
        refuse("Output array size is Undecided: '" + out_parameters[i].name +
               "' is raw; give an array for it, or size=");
      }
      check_shape(function, shape, types.out[i]);
      arrays.push_back(make_array(*device, types.out[i], shape));
    }
  }
  return arrays;
}

void KernelCall::refuse(const std::string& what) const {
  throw ValueError(what + " (cuprum." + function + " '" + name + "')");
}

void KernelCodes::note(const KernelCall& call, const std::string& text) {
  std::vector<dtype> given;
  for (std::size_t i = 0; i < call.count(); ++i) {
    if (const Array* a = call.array(i)) given.push_back(a->type());
  }
  const std::lock_guard guard(mutex_);
  for (const KernelCode& code : codes_) {
    if (code.first == given) return;
  }
  codes_.emplace_back(std::move(given), text);
}

std::vector<KernelCode> KernelCodes::all() const {
  const std::lock_guard guard(mutex_);
  return codes_;
}

}  // namespace cuprum::ops
