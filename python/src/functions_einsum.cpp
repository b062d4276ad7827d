// Sums of products over labelled axes: einsum, sum_of_products
#include <deque>

#include "errors.h"
#include "function.h"
#include "ops/contraction.h"
#include "ops/einsum.h"

namespace cuprum::python {

namespace {

/// A list of steps, each a tuple of places.
ops::ContractionPath to_path(PyObject* o) {
  ops::ContractionPath path;
  for (nb::handle step : nb::borrow<nb::list>(o)) {
    std::vector<std::size_t>& places = path.emplace_back();
    for (nb::handle place : nb::borrow<nb::tuple>(step)) places.push_back(nb::cast<std::size_t>(place));
  }
  return path;
}

PyObject* einsum(PyObject* const* args) {
  std::deque<ArrayArgument> operands;  // they do not move
  std::vector<Array> arrays;
  for (nb::handle operand : nb::borrow<nb::tuple>(args[1])) {
    operands.emplace_back(operand.ptr(), "einsum", static_cast<int>(arrays.size()) + 1);
    arrays.push_back(*operands.back());
  }
  ops::EinsumOptions options;
  options.out = out_argument(args[2], "einsum");
  options.type = to_optional_dtype(args[3], "einsum");
  options.order = order_argument(args[4], "einsum", 'K');
  options.casting = parse_casting(text_argument(args[5], "einsum", "casting", "safe").c_str());
  ops::ContractionPath path;
  if (given(args[6])) {
    path = to_path(args[6]);
    options.path = &path;
  }
  Array result = ops::einsum(to_utf8(args[0]), arrays, options);
  if (arrays.size() == 1 && !options.out) return wrap_from(std::move(result), PyTuple_GET_ITEM(args[1], 0));
  return deliver(std::move(result), args[2]);
}

PyObject* sum_of_products(PyObject* const* args) {
  const ArrayArgument a(args[0], "sum_of_products", 1), b(args[1], "sum_of_products", 2);
  return wrap_raw(ops::sum_of_products(*a, *b, to_dims(args[2], "sum_of_products", "axes")));
}

constinit Function kEinsum = {
    "einsum", "subscripts, operands, out=None, dtype=None, order='K', casting='safe', path=None", &einsum,
    "Sums of products over labelled axes.", ResultClass::plain};
constinit Function kSumOfProducts = {"sum_of_products", "a, b, axes, /", &sum_of_products,
                                     "Products of two arrays of one dtype, summed over axes."};

}  // namespace

void bind_einsum_functions(nb::module_& m) { add_functions(m, {entry<kEinsum>(), entry<kSumOfProducts>()}); }

}  // namespace cuprum::python
