#include "ops/kernel_arguments.h"

#include <list>
#include <optional>
#include <vector>

#include "core/cast.h"
#include "core/inline_vector.h"
#include "cuprum/error.h"
#include "expr/engine.h"

namespace cuprum::ops {

namespace {

constexpr std::byte kNull[sizeof(std::byte*)] = {};

/// bool, integer, real, complex: a number goes to a parameter of no smaller kind.
int kind_of(dtype t) { return is_complex(t) ? 3 : is_floating(t) ? 2 : is_integer(t) ? 1 : 0; }

bool points_to(const ParameterType& p, dtype t) {
  if (!p.type || *p.type == t || *p.type == real_type(t)) return true;
  return kind_of(*p.type) <= 1 && kind_of(t) <= 1 && p.size == itemsize(t);
}

std::string text_of(const Value& v) {
  if (v.is_array()) return std::string("an array of ") + name(v.array().type());
  return "the number " + v.describe();
}

/// An integer with its exact value, whatever its type was; none: it is no integer.
std::optional<Value> as_integer(const Value& v) {
  if (v.kind() == Value::Kind::weak_int) return v;
  if (v.kind() != Value::Kind::scalar || kind_of(v.scalar().type) > 1) return std::nullopt;
  if (is_unsigned_integer(v.scalar().type))
    return Value::integer(cast_scalar(v.scalar(), dtype::uint64).as<std::uint64_t>());
  return Value::integer(cast_scalar(v.scalar(), dtype::int64).as<std::int64_t>());
}

/// Looks at the arguments of one launch, and keeps what it makes of them until the launch is handed over.
class Arguments {
 public:
  Arguments(const char* caller, const KernelFunction& kernel, std::size_t count)
      : caller_(caller), kernel_(kernel), bound_(count), scalars_(count) {}

  std::span<const LaunchArgument> bind(std::span<const KernelArgument> given) {
    const std::vector<ParameterType>* parameters = kernel_.function->parameters();
    if (parameters && parameters->size() != given.size()) refuse_number(*parameters, given.size());
    for (number_ = 0; number_ < given.size(); ++number_) {
      parameter_ = parameters ? &(*parameters)[number_] : nullptr;
      bound_.emplace_back(std::visit([&](const auto& a) { return of(a); }, given[number_]));
    }
    return {bound_.data(), bound_.size()};
  }

 private:
  // -- One argument: of(what was given), by what is taken.

  LaunchArgument of(const Value& v) {
    if (v.is_array()) return of_array(v.array());
    if (!parameter_) return by_bytes(v.to_scalar(v.type()));
    if (parameter_->pointer) return at_address(v);
    if (!parameter_->type) return as_struct(v);
    return by_bytes(converted(v, *parameter_->type));
  }
  LaunchArgument of(const MemoryArgument& m) {
    if (parameter_ && !parameter_->pointer) refuse("a pointer", "write a number");
    return at(m.bytes);
  }
  LaunchArgument of(const StructArgument& s) {
    check_struct(s.bytes.size(), "a struct");
    return {.bytes = s.bytes};
  }
  LaunchArgument of(const NullArgument&) {
    if (parameter_ && !parameter_->pointer) refuse("None", "write a number");
    return {.bytes = kNull};
  }

  LaunchArgument of_array(const Array& a) {
    if (parameter_ && !parameter_->pointer)
      refuse(text_of(a), a.size() == 1 ? "write x.item()" : "write a number");
    if (parameter_ && !points_to(*parameter_, a.type())) {
      const std::string t = name(*parameter_->type);
      refuse(text_of(a), "write x.astype('" + t + "'), or x.view('" + t + "') for its bits");
    }
    if (!a.c_contiguous() && !a.f_contiguous()) {
      throw ValueError(
          which() + " is an array with gaps, strides " + to_string(a.strides()) +
          ", of which a kernel is only told the address; write cp.ascontiguousarray(x), or x.data " +
          "for a kernel that knows the strides");
    }
    return at(a);
  }
  LaunchArgument at(const Array& a) const { return {&a, parameter_ ? !parameter_->constant : a.writeable()}; }

  /// An integer for a pointer: memory that the device knows.
  LaunchArgument at_address(const Value& v) {
    const std::optional<Value> integer = as_integer(v);
    if (!integer) refuse(text_of(v), "write cp.asarray(x) to make an array of it");
    if (integer->real() == 0) return {.bytes = kNull};
    Backend& device = kernel_.module->device;
    const bool fits = integer->fits(dtype::uint64);
    auto* data = reinterpret_cast<std::byte*>(fits ? static_cast<std::uintptr_t>(integer->integer()) : 0);
    if (!fits || !device.can_use(data, 1)) {
      throw ValueError(which() + " is the number " + v.describe() + " for a parameter " + parameter_->text +
                       ", which is no address that " + device.name() + " can use; write an array, or x.data");
    }
    return at(arrays_.emplace_back(
        from_foreign(device, data, 1, dtype::uint8, {1}, {1}, 0, true, nullptr, nullptr)));
  }

  LaunchArgument as_struct(const Value& v) {
    const bool halved =
        v.kind() == Value::Kind::weak_complex && parameter_->size == itemsize(dtype::complex64);
    const dtype t = halved ? dtype::complex64 : v.type();
    check_struct(itemsize(t), text_of(v));
    return by_bytes(v.to_scalar(t));
  }

  Scalar converted(const Value& v, dtype t) {
    if (kind_of(v.type()) > std::max(kind_of(t), 1))
      refuse(text_of(v), is_complex(v.type()) ? "write x.real" : "write int(x)");
    const std::optional<Value> integer = as_integer(v);
    if (!integer) return v.to_scalar(t);
    if (is_integer(t) && !integer->fits(t))
      throw OverflowError(which() + " is " + integer->describe() + ", out of bounds for " + parameter_->text);
    return integer->to_scalar(t);
  }

  // -- What is kept.

  LaunchArgument by_bytes(const Scalar& s) {
    const Scalar& kept = scalars_.emplace_back(s);
    return {.bytes = std::as_bytes(std::span(kept.bytes)).first(itemsize(kept.type))};
  }

  // -- Errors.

  std::string which() const {
    return std::string("cuprum.") + caller_ + ": " + kernel_.function->name + ": argument " +
           std::to_string(number_ + 1);
  }
  [[noreturn]] void refuse(const std::string& given, const std::string& remedy) const {
    throw TypeError(which() + " is " + given + ", the kernel takes " + parameter_->text + "; " + remedy);
  }
  void check_struct(std::size_t size, const std::string& given) const {
    if (!parameter_) return;
    if (parameter_->pointer || parameter_->type)
      refuse(given, parameter_->pointer ? "write an array" : "write a number");
    if (parameter_->size != size) {
      throw ValueError(which() + " is " + given + " of " + std::to_string(size) +
                       " bytes, the kernel takes " + parameter_->text + " of " +
                       std::to_string(parameter_->size));
    }
  }
  [[noreturn]] void refuse_number(const std::vector<ParameterType>& parameters, std::size_t given) const {
    std::string list;
    for (const ParameterType& p : parameters) list += (list.empty() ? "" : ", ") + p.text;
    throw TypeError(std::string("cuprum.") + caller_ + ": " + kernel_.function->name + "(" + list +
                    ") takes " + std::to_string(parameters.size()) + " arguments, given " +
                    std::to_string(given));
  }

  const char* const caller_;
  const KernelFunction& kernel_;
  std::size_t number_ = 0;                    // of the argument that is looked at
  const ParameterType* parameter_ = nullptr;  // its parameter; null: not known
  InlineVector<LaunchArgument, kFewArguments> bound_;
  InlineVector<Scalar, kFewArguments> scalars_;  // what is handed out points in here
  std::list<Array> arrays_;                      // of memory of others: seldom any
};

}  // namespace

void launch_checked(const char* caller, const KernelFunction& kernel, const LaunchShape& shape,
                    std::span<const KernelArgument> arguments) {
  Arguments look(caller, kernel, arguments.size());
  launch(caller, kernel, shape, look.bind(arguments));
}

}  // namespace cuprum::ops
