#include "ops/covariance.h"

#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "core/warning.h"
#include "ops/adjust.h"
#include "ops/creation.h"
#include "ops/formula.h"
#include "ops/join.h"
#include "ops/linalg.h"
#include "ops/manipulate.h"
#include "ops/reduce.h"
#include "ops/weights.h"

namespace cuprum::ops {

namespace {

using namespace formula;

double to_double(const Array& a) {
  double x = 0;
  copy_to_host(record_cast(a, dtype::float64), &x);
  return x;
}

void check_dimensions(const Array& a, const char* parameter) {
  if (a.ndim() <= 2) return;
  throw ValueError(std::string("cuprum.cov: ") + parameter + " has more than 2 dimensions, given shape " +
                   to_string(a.shape()));
}

Array as_rows(const Array& a, dtype type) {
  const Array rows = record_cast(a, type);
  return a.ndim() == 2 ? rows : reshape(rows, Dims{1, a.size()});
}

/// A row for each variable of `m` and of `y`.
Array variables(const Array& m, const CovarianceArgs& args) {
  check_dimensions(m, "m");
  if (args.y) check_dimensions(*args.y, "y");
  const dtype both = args.y ? promote_types(m.type(), args.y->type()) : m.type();
  const dtype type = args.type.value_or(promote_types(both, dtype::float64));
  Array rows = as_rows(m, type);
  if (!args.rowvar && m.ndim() != 1) rows = transpose(rows);
  if (!args.y || rows.shape()[0] == 0) return rows;
  Array more = as_rows(*args.y, type);
  if (!args.rowvar && more.shape()[0] != 1) more = transpose(more);
  return concatenate(std::array{rows, more}, 0);
}

std::optional<Array> checked_weights(const Array* given, const std::string& name_of, std::int64_t samples) {
  if (!given) return std::nullopt;
  const Array weights = record_cast(*given, dtype::float64);
  const std::string shape = to_string(weights.shape());
  if (name_of == "fweights" && !to_truth(all(weights == rint(weights))))
    throw TypeError("cuprum.cov: fweights must be integer");
  if (weights.ndim() > 1)
    throw Error("cuprum.cov: cannot handle multidimensional " + name_of + ": given shape " + shape);
  if (weights.ndim() == 0) {
    throw IndexError("cuprum.cov: tuple index out of range: " + name_of +
                     " need one dimension, given a number");
  }
  if (weights.size() != samples) {
    throw Error("cuprum.cov: incompatible numbers of samples and " + name_of + ": given " +
                std::to_string(samples) + " and shape " + shape);
  }
  if (to_truth(any(weights < 0))) throw ValueError("cuprum.cov: " + name_of + " cannot be negative");
  return weights;
}

/// What the products are divided by, which waits for the weights if there are any; 0 where there is nothing left.
double degrees_of_freedom(std::int64_t samples, const std::optional<Array>& weights,
                          const std::optional<Array>& aweights, const Array& totals, double ddof) {
  double freedom = static_cast<double>(samples) - ddof;
  if (weights) {
    const double total = to_double(real(at(totals, 0, 0)));
    const double lost = ddof == 0 ? 0 : aweights ? ddof * to_double(sum(*weights * *aweights)) / total : ddof;
    freedom = total - lost;
  }
  if (freedom > 0) return freedom;
  warn("Degrees of freedom <= 0 for slice");
  return 0;
}

}  // namespace

Array cov(const Array& m, const CovarianceArgs& args) {
  if (args.ddof && *args.ddof != std::trunc(*args.ddof))
    throw ValueError("cuprum.cov: ddof must be integer, given " + std::to_string(*args.ddof));
  Array x = variables(m, args);
  if (x.shape()[0] == 0) return zeros(Dims{0, 0}, dtype::float64, 'C', m.backend());
  const std::int64_t samples = x.shape()[1];
  const std::optional<Array> fweights = checked_weights(args.fweights, "fweights", samples);
  const std::optional<Array> aweights = checked_weights(args.aweights, "aweights", samples);
  const std::optional<Array> weights = !fweights ? aweights : !aweights ? fweights : *fweights * *aweights;

  const Average means = average(x, Dims{1}, weights ? &*weights : nullptr, true);
  UfuncOptions in_type;
  in_type.type = x.type();
  const Value operands[] = {x, means.mean};
  x = call(Op::subtract, operands, in_type);
  const Array weighted = weights ? x * *weights : x;
  const double freedom = degrees_of_freedom(samples, weights, aweights, ravel(means.weight),
                                            args.ddof.value_or(args.bias ? 0 : 1));
  const Array turned = transpose(weighted);
  // Of numbers that are their own conjugates nothing is recorded: x @ x.T of one array costs half of a product of two.
  const Array products = dot(x, is_complex(turned.type()) ? unary(Op::conjugate, turned) : turned);
  return squeeze(products * (freedom > 0 ? 1 / freedom : std::numeric_limits<double>::infinity()));
}

Array corrcoef(const Array& x, const Array* y, bool rowvar, std::optional<dtype> type) {
  CovarianceArgs args;
  args.y = y;
  args.rowvar = rowvar;
  args.type = type;
  Array c = cov(x, args);
  if (c.ndim() == 0) return c / c;
  const Array deviations = unary(Op::sqrt, real(diagonal(c)));
  c = c / expand_dims(deviations, Dims{1}) / deviations;
  const Value least = Value::integer(-1), most = Value::integer(1);
  if (!is_complex(c.type())) return clip(c, &least, &most);
  const Array result = make_array(c.backend(), c.type(), c.shape());
  set_view(real(result), clip(real(c), &least, &most));
  set_view(imag(result), clip(imag(c), &least, &most));
  return result;
}

}  // namespace cuprum::ops
