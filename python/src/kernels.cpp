// A program's own kernels. The classes that users see are in cuprum/_raw.py and cuprum/cuda/function.py.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <list>
#include <sstream>
#include <vector>

#include "bindings.h"
#include "casters.h"
#include "core/inline_vector.h"
#include "errors.h"
#include "numpy_interop.h"
#include "ops/kernel_arguments.h"
#include "runtime/lock.h"
#include "streams.h"

namespace cuprum::python {

namespace {

using ops::KernelArgument;
using ops::KernelModule;
using ops::PortableKernel;
using Texts = std::vector<std::string>;

constexpr const char* kCaller = "RawKernel";

/// The arguments of a launch as the library takes them, and what they name.
class Given {
 public:
  explicit Given(PyObject* args) : items_(tuple_of(args)), arguments_(items_.size()), arrays_(items_.size()) {
    for (std::size_t i = 0; i < items_.size(); ++i)
      arguments_.emplace_back(argument(nb::borrow(items_[i]), static_cast<int>(i) + 1));
  }

  std::span<const KernelArgument> arguments() const { return {arguments_.data(), arguments_.size()}; }
  Backend* device = nullptr;  // of the first array; null: there is none

 private:
  static nb::tuple tuple_of(PyObject* args) {
    if (!PyTuple_Check(args) && !PyList_Check(args))
      throw TypeError("cuprum.RawKernel: args must be a tuple of the kernel's arguments, given a " +
                      type_name(args));
    return nb::steal<nb::tuple>(checked(PySequence_Tuple(args)).release());
  }
  KernelArgument argument(const nb::object& o, int position) {
    if (is_ndarray(o.ptr())) return array(o);
    if (o.is_none()) return ops::NullArgument{};
    if (const auto number = try_number(o.ptr(), position)) return *number;
    if (is_numpy_array(o.ptr())) return host_value(o, position);
    if (is_numpy_scalar(o.ptr())) return structure(o, position);
    if (nb::hasattr(o, "_block") && nb::hasattr(o, "_offset")) return pointer(o);  // cuda.MemoryPointer
    if (is_device_array(o.ptr())) return array(device_array(o.ptr(), kCaller));
    throw_not_array(o.ptr(), kCaller, position);
  }

  static std::optional<Value> try_number(PyObject* o, int position) {
    return is_numpy_array(o) || PyList_Check(o) || PyTuple_Check(o) ? std::nullopt
                                                                    : try_value(o, kCaller, position);
  }
  KernelArgument array(const nb::object& o) { return Value(kept(contents(o.ptr()).array())); }
  const Array& kept(Array a) {
    if (!device) device = &a.backend().known_as();
    return arrays_.emplace_back(std::move(a));
  }
  /// From its address to the end of its memory.
  KernelArgument pointer(const nb::object& o) {
    const nb::object block = o.attr("_block");
    const Array& bytes = unwrap(block.ptr(), kCaller, 0);
    const std::int64_t at = to_int(nb::object(o.attr("_offset")).ptr(), kCaller, "args");
    if (at < 0 || at > bytes.size())
      throw ValueError("cuprum.RawKernel: a MemoryPointer lies outside of its memory");
    return ops::MemoryArgument{kept(bytes.view(dtype::uint8, {bytes.size() - at}, {1}, bytes.offset() + at))};
  }
  /// A NumPy array of one element, which goes by its value.
  KernelArgument host_value(const nb::object& o, int position) {
    if (nb::cast<std::int64_t>(o.attr("size")) != 1) {
      throw TypeError("cuprum.RawKernel: argument " + std::to_string(position) +
                      " is a numpy.ndarray of shape " + to_utf8(nb::str(nb::object(o.attr("shape"))).ptr()) +
                      ", which lives in host memory; write cp.asarray(x) to copy it to " +
                      current_device().name() + " (arrays of one element go by their value)");
    }
    const nb::object element = o.attr("reshape")(nb::make_tuple())[nb::make_tuple()];
    if (const auto number = numpy_scalar(element.ptr())) return Value(*number);
    if (!is_numpy_scalar(element.ptr())) throw_not_array(element.ptr(), kCaller, position);
    return structure(element, position);
  }
  /// A record of NumPy, by its bytes.
  KernelArgument structure(const nb::object& o, int position) {
    const nb::object type = o.attr("dtype");
    if (nb::cast<std::string>(type.attr("kind")) != "V" || nb::cast<bool>(type.attr("hasobject")))
      throw_not_array(o.ptr(), kCaller, position);
    const std::string& bytes = records_.emplace_back([&] {
      const nb::bytes b = nb::borrow<nb::bytes>(o.attr("tobytes")());
      return std::string(b.c_str(), b.size());
    }());
    return ops::StructArgument{std::as_bytes(std::span(bytes))};
  }

  const nb::tuple items_;
  InlineVector<KernelArgument, ops::kFewArguments> arguments_;
  InlineVector<Array, ops::kFewArguments> arrays_;  // arguments point in here
  std::list<std::string> records_;
};

/// Up to three extents; those below 1 are 1, as in CuPy.
Extent3 extent(const char* caller, nb::handle o, const char* parameter) {
  Dims given = to_dims(o.ptr(), caller, parameter);
  const auto which = [&] { return std::string("cuprum.") + caller + ": " + parameter; };
  if (given.size() > 3)
    throw ValueError(which() + " has at most three dimensions, given " + to_string(given));
  given.resize(3, 1);
  const auto checked_one = [&](std::int64_t n) {
    if (n > std::numeric_limits<std::uint32_t>::max())
      throw ValueError(which() + " is too large, " + to_string(given));
    return static_cast<std::uint32_t>(std::max<std::int64_t>(n, 1));
  };
  return {checked_one(given[0]), checked_one(given[1]), checked_one(given[2])};
}

std::uint32_t shared_bytes(const char* caller, nb::handle o) {
  const std::int64_t n = to_int(o.ptr(), caller, "shared_mem");
  if (n < 0 || n > std::numeric_limits<std::uint32_t>::max())
    throw ValueError(std::string("cuprum.") + caller + ": shared_mem is a number of bytes, given " +
                     std::to_string(n));
  return static_cast<std::uint32_t>(n);
}

/// What a launch is told beside the kernel's arguments.
struct LaunchOptions {
  nb::handle grid, block, shared_mem, stream;
  bool cooperative;
};

/// Finds the shape, the stream and the kernel on the device of the arrays (null: there are none), and hands over.
template <class HandOver>
void launch_with(const char* caller, PortableKernel& kernel, const LaunchOptions& options, Backend* arrays,
                 HandOver&& hand_over) {
  const ops::LaunchShape shape{extent(caller, options.grid, "grid"), extent(caller, options.block, "block"),
                               shared_bytes(caller, options.shared_mem), options.cooperative};
  Stream* const chosen = stream_given(options.stream, caller);
  Backend& device = arrays ? *arrays : chosen ? chosen->device : current_device();
  if (chosen && &chosen->device != &device)
    throw ValueError(std::string("cuprum.") + caller + ": the stream is on " + chosen->device.name() +
                     ", the arrays are on " + device.name());
  const ops::KernelFunction& function = kernel.on(device);
  on_stream(chosen, [&] {
    hand_over(function, shape);
    return true;
  });
}

void launch(PortableKernel& kernel, nb::handle grid, nb::handle block, nb::handle args, nb::handle shared_mem,
            nb::handle stream, Truth cooperative) {
  const Given given(args.ptr());
  launch_with(kCaller, kernel, {grid, block, shared_mem, stream, cooperative}, given.device,
              [&](const ops::KernelFunction& function, const ops::LaunchShape& shape) {
                ops::launch_checked(kCaller, function, shape, given.arguments());
              });
}

/// What a cp.RawKernel is in C++: its base class.
struct RawKernel {
  PortableKernel kernel;
  const bool cooperative;

  RawKernel(const ModuleSpec& spec, const std::string& name, bool cooperative)
      : kernel(spec, name), cooperative(cooperative) {}
};

/// The body of RawKernel.__call__ (cuprum/_raw_kernels.py).
void launch_raw(RawKernel& raw, nb::handle grid, nb::handle block, nb::handle args, nb::handle shared_mem,
                nb::handle stream) {
  launch(raw.kernel, grid, block, args, shared_mem, stream, Truth{raw.cooperative});
}

/// Arguments of a Python kernel (cuprum/jit/_kernel.py): arrays, and numbers by their bytes. An array goes as jit::array
/// (kernels/jit/array.h): its address, extents and strides.
class PackedArguments {
 public:
  /// `forms` has a character for each: 'b' for bytes; for an array 'r' and 'R' where it is read alone, 'w' and 'W' where it may be
  /// written, small ones where extents are int32.
  PackedArguments(const nb::tuple& args, std::string_view forms) {
    bytes_.reserve(forms.size());
    arrays_.reserve(forms.size());
    for (std::size_t i = 0; i < forms.size(); ++i) {
      const nb::object item = nb::borrow(args[i]);
      std::string& bytes = bytes_.emplace_back();
      if (forms[i] == 'b') {
        const nb::bytes given = nb::cast<nb::bytes>(item);
        bytes.assign(given.c_str(), given.size());
        arguments.push_back({.bytes = std::as_bytes(std::span(bytes))});
      } else {
        const Array& a = arrays_.emplace_back(contents(item.ptr()).array());
        if (!device) device = &a.backend().known_as();
        const bool narrow = forms[i] == 'r' || forms[i] == 'w', written = forms[i] == 'w' || forms[i] == 'W';
        bytes.resize(sizeof(void*));
        for (const Dims* part : {&a.shape(), &a.strides()}) append(bytes, *part, narrow);
        arguments.push_back({.array = &a, .written = written, .bytes = std::as_bytes(std::span(bytes))});
      }
    }
  }

  std::vector<ops::LaunchArgument> arguments;
  Backend* device = nullptr;  // of the first array; null: there is none

 private:
  static void append(std::string& bytes, const Dims& numbers, bool narrow) {
    for (const std::int64_t n : numbers)
      bytes.append(reinterpret_cast<const char*>(&n), narrow ? sizeof(std::int32_t) : sizeof n);
  }

  std::vector<Array> arrays_;
  std::vector<std::string> bytes_;
};

void launch_packed(PortableKernel& kernel, nb::handle grid, nb::handle block, const nb::tuple& args,
                   const Text& forms, nb::handle shared_mem, nb::handle stream, bool cooperative) {
  constexpr const char* kJit = "jit.rawkernel";
  const PackedArguments given(args, forms.value);
  launch_with(kJit, kernel, {grid, block, shared_mem, stream, cooperative}, given.device,
              [&](const ops::KernelFunction& function, const ops::LaunchShape& shape) {
                ops::launch(kJit, function, shape, given.arguments);
              });
}

ModuleSpec::Form form_of(const Text& backend) {
  return backend.value == "nvcc" ? ModuleSpec::Form::nvcc : ModuleSpec::Form::nvrtc;
}

/// PTX, a cubin or a fatbin.
ModuleSpec machine_code(const Text& path) {
  std::ifstream file(path.value, std::ios::binary);
  std::ostringstream bytes;
  if (!file || !(bytes << file.rdbuf())) {
    throw LoadError("cuprum.RawModule: " + path.value + ": " + std::strerror(errno) +
                    " (CUDA_ERROR_FILE_NOT_FOUND)");
  }
  return {.code = bytes.str(), .form = ModuleSpec::Form::machine_code};
}

nb::object parameter_texts(PortableKernel& kernel) {
  const auto* parameters = kernel.on(current_device()).function->parameters();
  if (!parameters) return nb::none();
  nb::list texts;
  for (const ParameterType& p : *parameters) texts.append(p.text);
  return nb::tuple(texts);
}

}  // namespace

void bind_kernels(nb::module_& m) {
  nb::class_<ModuleSpec>(m, "ModuleSpec",
                         "A text with its options, or machine code: what modules are made of.")
      .def(
          "__init__",
          [](ModuleSpec* self, const Text& code, Texts options, Texts name_expressions, const Text& backend) {
            new (self)
                ModuleSpec{code.value, std::move(options), std::move(name_expressions), form_of(backend)};
          },
          nb::arg("code"), nb::arg("options") = Texts(), nb::arg("name_expressions") = Texts(),
          nb::arg("backend") = "nvrtc")
      .def_static("machine_code", &machine_code);
  nb::class_<PortableKernel>(m, "PortableKernel", "A kernel of a text, compiled where it is launched.")
      .def("__init__", [](PortableKernel* self, const ModuleSpec& spec,
                          const Text& name) { new (self) PortableKernel(spec, name.value); })
      .def("launch", &launch, nb::arg("grid").none(), nb::arg("block").none(), nb::arg("args").none(),
           nb::arg("shared_mem").none(), nb::arg("stream").none(), nb::arg("cooperative").none())
      .def("launch_packed", &launch_packed, nb::arg("grid").none(), nb::arg("block").none(), nb::arg("args"),
           nb::arg("forms"), nb::arg("shared_mem").none(), nb::arg("stream").none(), nb::arg("cooperative"))
      .def("compile", [](PortableKernel& k) { k.on(current_device()); })
      .def("parameters", &parameter_texts)
      .def("attribute",
           [](PortableKernel& k, const Text& key) { return k.on(current_device()).function->attribute(key); })
      .def("set_attribute", [](PortableKernel& k, const Text& key, int value) {
        k.on(current_device()).function->set_attribute(key, value);
      });
  nb::class_<RawKernel>(m, "RawKernelBase", "What cp.RawKernel is in C++.")
      .def("__init__", [](RawKernel* self, const ModuleSpec& spec, const Text& name,
                          bool cooperative) { new (self) RawKernel(spec, name.value, cooperative); })
      .def_prop_ro(
          "_compiled", [](RawKernel& raw) -> PortableKernel& { return raw.kernel; },
          nb::rv_policy::reference_internal);
  m.def("launch_raw", &launch_raw, nb::arg().none(), nb::arg().none(), nb::arg().none(), nb::arg().none(),
        nb::arg().none(), nb::arg().none());
  m.def("compile_module", [](const ModuleSpec& spec) { KernelModule::of(current_device(), spec); });
  m.def("module_log", [](const ModuleSpec& spec) {
    const std::shared_ptr<KernelModule> module = KernelModule::of(current_device(), spec);
    const BlockingSection others_run;
    return module->log();
  });
  m.def("module_global", [](const ModuleSpec& spec, const Text& name) {
    return wrap(KernelModule::of(current_device(), spec)->global(name.value));
  });
}

}  // namespace cuprum::python
