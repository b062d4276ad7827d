// A program's own elementwise and reduction kernels. The classes that users see are in cuprum/_loop_kernels.py.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <deque>
#include <vector>

#include "bindings.h"
#include "casters.h"
#include "ops/elementwise_kernel.h"
#include "ops/reduction_kernel.h"
#include "streams.h"

namespace cuprum::python {

namespace {

using ops::ElementwiseKernel;
using ops::ReductionKernel;
using Texts = std::vector<std::string>;

/// The arguments of a call as the library takes them, and what they name.
class Arguments {
 public:
  Arguments(const nb::tuple& args, const char* function) : args_(args) {
    values.reserve(args.size());
    for (std::size_t i = 0; i < args.size(); ++i) {
      const nb::handle o = args[i];
      if (!is_ndarray(o.ptr()) && is_device_array(o.ptr())) {
        const nb::object& shared = shared_.emplace_back(device_array(o.ptr(), function));
        values.push_back(Value(contents(shared.ptr()).array()));
      } else {
        values.push_back(to_value(o.ptr(), function, static_cast<int>(i) + 1));
      }
    }
  }

  std::vector<Value> values;

  /// Results as Python sees them: an output that was given is the object itself.
  nb::list wrapped(std::vector<Array> results, std::size_t nin) const {
    nb::list list;
    for (std::size_t i = 0; i < results.size(); ++i) {
      list.append(nin + i < args_.size() ? nb::object(args_[nin + i]) : wrap(std::move(results[i])));
    }
    return list;
  }

  Stream* stream(nb::handle given, const char* function) const {
    Stream* const chosen = stream_given(given, function);
    if (!chosen) return nullptr;
    for (const Value& v : values) {
      if (v.is_array() && &v.array().backend().known_as() != &chosen->device)
        throw ValueError(std::string("cuprum.") + function + ": the stream is on " + chosen->device.name() +
                         ", the arrays are on " + v.array().backend().name());
    }
    return chosen;
  }

 private:
  const nb::tuple& args_;
  std::deque<nb::object> shared_;
};

nb::list call_elementwise(ElementwiseKernel& kernel, const nb::tuple& args, std::int64_t size,
                          std::int64_t block_size, nb::handle stream) {
  const Arguments given(args, "ElementwiseKernel");
  Stream* const chosen = given.stream(stream, "ElementwiseKernel");
  const ops::ElementwiseOptions options{size, block_size, chosen ? &chosen->device : &default_backend()};
  return given.wrapped(on_stream(chosen, [&] { return kernel(given.values, options); }),
                       kernel.inputs().size());
}

nb::list call_reduction(ReductionKernel& kernel, const nb::tuple& args, nb::handle axis, bool keepdims,
                        nb::handle stream) {
  const Arguments given(args, "ReductionKernel");
  Stream* const chosen = given.stream(stream, "ReductionKernel");
  ops::ReductionOptions options;
  if (!axis.is_none()) options.axes = to_dims(axis.ptr(), "ReductionKernel", "axis");
  options.keepdims = keepdims;
  return given.wrapped(on_stream(chosen, [&] { return kernel(given.values, options); }),
                       kernel.inputs().size());
}

/// (name, dtype or None, type in the text, raw, const) of each.
nb::tuple parameters_of(std::span<const ops::KernelParameter> parameters) {
  nb::list list;
  for (const ops::KernelParameter& p : parameters) {
    list.append(nb::make_tuple(p.name, p.type ? nb::borrow(from_dtype(*p.type)) : nb::none(), p.type_name(),
                               p.raw, p.is_const));
  }
  return nb::tuple(list);
}

/// {dtypes of the arrays: text}
nb::dict codes_of(const std::vector<ops::KernelCode>& codes) {
  nb::dict texts;
  for (const auto& [types, text] : codes) {
    nb::list key;
    for (const dtype t : types) key.append(nb::borrow(from_dtype(t)));
    texts[nb::tuple(key)] = text;
  }
  return texts;
}

template <class Kernel>
void bind_kernel(nb::class_<Kernel>& c) {
  c.def("inputs", [](const Kernel& k) { return parameters_of(k.inputs()); })
      .def("outputs", [](const Kernel& k) { return parameters_of(k.outputs()); })
      .def("codes", [](const Kernel& k) { return codes_of(k.codes()); });
}

}  // namespace

void bind_loop_kernels(nb::module_& m) {
  nb::class_<ElementwiseKernel> elementwise(m, "ElementwiseKernel", "A loop whose body a program brings.");
  bind_kernel(elementwise);
  elementwise
      .def("__init__",
           [](ElementwiseKernel* self, const Text& in_params, const Text& out_params, const Text& operation,
              const Text& name, bool reduce_dims, const Text& preamble, Texts options, const Text& loop_prep,
              const Text& after_loop) {
             new (self) ElementwiseKernel({in_params.value, out_params.value, operation.value, name.value,
                                           reduce_dims, preamble.value, std::move(options), loop_prep.value,
                                           after_loop.value});
           })
      .def("__call__", &call_elementwise, nb::arg("args"), nb::arg("size"), nb::arg("block_size"),
           nb::arg("stream").none());

  nb::class_<ReductionKernel> reduction(m, "ReductionKernel", "A reduction whose fold a program brings.");
  bind_kernel(reduction);
  reduction
      .def("__init__",
           [](ReductionKernel* self, const Text& in_params, const Text& out_params, const Text& map_expr,
              const Text& reduce_expr, const Text& post_map_expr, const Text& identity, const Text& name,
              const Text& reduce_type, bool reduce_dims, const Text& preamble, Texts options) {
             new (self) ReductionKernel({in_params.value, out_params.value, map_expr.value, reduce_expr.value,
                                         post_map_expr.value, identity.value, name.value, reduce_type.value,
                                         reduce_dims, preamble.value, std::move(options)});
           })
      .def("__call__", &call_reduction, nb::arg("args"), nb::arg("axis").none(), nb::arg("keepdims"),
           nb::arg("stream").none());
}

}  // namespace cuprum::python
