// The public kernels of loops: those of src/ops.
#include "cuprum/loop_kernel.h"

#include "api/handle.h"
#include "ops/elementwise_kernel.h"
#include "ops/reduction_kernel.h"
#include "runtime/devices.h"

namespace cuprum {

namespace {

std::vector<Value> values_of(std::span<const operand> args) {
  std::vector<Value> values;
  values.reserve(args.size());
  for (const operand& o : args) values.push_back(operand_access::value(o));
  return values;
}

}  // namespace

struct elementwise_kernel::compiled : ops::ElementwiseKernel {
  using ElementwiseKernel::ElementwiseKernel;
};

elementwise_kernel::elementwise_kernel(const std::string& in_params, const std::string& out_params,
                                       const std::string& operation, const std::string& name,
                                       const kernel_fragments& fragments)
    : compiled_(std::make_shared<compiled>(ops::ElementwiseSpec{.in_params = in_params,
                                                                .out_params = out_params,
                                                                .operation = operation,
                                                                .name = name,
                                                                .preamble = fragments.preamble,
                                                                .options = fragments.options,
                                                                .loop_prep = fragments.loop_prep,
                                                                .after_loop = fragments.after_loop})) {}

std::vector<array> elementwise_kernel::call(std::span<const operand> args, std::int64_t size) const {
  ops::ElementwiseOptions options;
  options.size = size;
  options.device = &default_backend();
  return to_handles((*compiled_)(values_of(args), options));
}

struct reduction_kernel::compiled : ops::ReductionKernel {
  using ReductionKernel::ReductionKernel;
};

reduction_kernel::reduction_kernel(const std::string& in_params, const std::string& out_params,
                                   const std::string& map_expr, const std::string& reduce_expr,
                                   const std::string& post_map_expr, const std::string& identity,
                                   const std::string& name, const kernel_fragments& fragments)
    : compiled_(std::make_shared<compiled>(ops::ReductionSpec{.in_params = in_params,
                                                              .out_params = out_params,
                                                              .map_expr = map_expr,
                                                              .reduce_expr = reduce_expr,
                                                              .post_map_expr = post_map_expr,
                                                              .identity = identity,
                                                              .name = name,
                                                              .reduce_type = fragments.reduce_type,
                                                              .preamble = fragments.preamble,
                                                              .options = fragments.options})) {}

array reduction_kernel::reduce(const array& a, const axes_type& axes, bool keepdims) const {
  const operand only(a);
  return call({&only, 1}, axes, keepdims).at(0);
}

std::vector<array> reduction_kernel::call(std::span<const operand> args, const axes_type& axes,
                                          bool keepdims) const {
  return to_handles((*compiled_)(values_of(args), {to_axes(axes), keepdims}));
}

}  // namespace cuprum
