#include "cuprum/random.h"

#include <vector>

#include "api/handle.h"
#include "cuprum/manipulation.h"
#include "cuprum/sorting.h"
#include "expr/engine.h"
#include "ops/index.h"
#include "ops/random.h"
#include "ops/search.h"
#include "runtime/devices.h"

namespace cuprum::random {

namespace {

std::shared_ptr<ops::BitGenerator> make(std::span<const std::uint32_t> entropy, bits kind) {
  const BitState state = ops::seed_state(static_cast<BitKind>(kind), SeedPool(entropy, {}));
  return std::make_shared<ops::BitGenerator>(state);
}

/// As NumPy splits an integer: as few words as it needs.
std::vector<std::uint32_t> words_of(std::uint64_t seed) {
  std::vector<std::uint32_t> words = {static_cast<std::uint32_t>(seed)};
  if (seed >> 32 != 0) words.push_back(static_cast<std::uint32_t>(seed >> 32));
  return words;
}

array draw(ops::BitGenerator& g, std::string_view name, std::initializer_list<operand> parameters,
           const shape_type& shape, std::optional<dtype> type = {}) {
  std::vector<Value> values;
  for (const operand& o : parameters) values.push_back(operand_access::value(o));
  ops::DrawArgs args;
  if (!shape.empty()) args.size = to_dims(shape);
  args.type = type;
  Backend* device = nullptr;
  for (const Value& v : values) {
    if (v.is_array() && !device) device = &v.array().backend();
  }
  return array(ops::draw_law(g, name, values, args, device ? *device : default_backend()));
}

}  // namespace

generator::generator() : bits_(make(fresh_entropy(), bits::pcg64)) {}
generator::generator(std::uint64_t seed, bits kind) : bits_(make(words_of(seed), kind)) {}

array generator::random(const shape_type& shape, dtype type) const {
  return draw(*bits_, "random", {}, shape, type);
}
array generator::uniform(const operand& low, const operand& high, const shape_type& shape) const {
  return draw(*bits_, "uniform", {low, high}, shape);
}
array generator::standard_normal(const shape_type& shape, dtype type) const {
  return draw(*bits_, "standard_normal", {}, shape, type);
}
array generator::normal(const operand& loc, const operand& scale, const shape_type& shape) const {
  return draw(*bits_, "normal", {loc, scale}, shape);
}
array generator::standard_exponential(const shape_type& shape, dtype type) const {
  return draw(*bits_, "standard_exponential", {}, shape, type);
}
array generator::exponential(const operand& scale, const shape_type& shape) const {
  return draw(*bits_, "exponential", {scale}, shape);
}
array generator::gamma(const operand& a, const operand& scale, const shape_type& shape) const {
  return draw(*bits_, "gamma", {a, scale}, shape);
}
array generator::beta(const operand& a, const operand& b, const shape_type& shape) const {
  return draw(*bits_, "beta", {a, b}, shape);
}
array generator::poisson(const operand& mean, const shape_type& shape) const {
  return draw(*bits_, "poisson", {mean}, shape);
}
array generator::binomial(const operand& n, const operand& p, const shape_type& shape) const {
  return draw(*bits_, "binomial", {n, p}, shape);
}
array generator::standard_cauchy(const shape_type& shape) const {
  return draw(*bits_, "standard_cauchy", {}, shape);
}
array generator::standard_t(const operand& df, const shape_type& shape) const {
  return draw(*bits_, "standard_t", {df}, shape);
}
array generator::standard_gamma(const operand& shape_parameter, const shape_type& shape) const {
  return draw(*bits_, "standard_gamma", {shape_parameter}, shape);
}
array generator::chisquare(const operand& df, const shape_type& shape) const {
  return draw(*bits_, "chisquare", {df}, shape);
}
array generator::noncentral_chisquare(const operand& df, const operand& nonc, const shape_type& shape) const {
  return draw(*bits_, "noncentral_chisquare", {df, nonc}, shape);
}
array generator::f(const operand& dfnum, const operand& dfden, const shape_type& shape) const {
  return draw(*bits_, "f", {dfnum, dfden}, shape);
}
array generator::noncentral_f(const operand& dfnum, const operand& dfden, const operand& nonc,
                              const shape_type& shape) const {
  return draw(*bits_, "noncentral_f", {dfnum, dfden, nonc}, shape);
}
array generator::geometric(const operand& p, const shape_type& shape) const {
  return draw(*bits_, "geometric", {p}, shape);
}
array generator::gumbel(const operand& loc, const operand& scale, const shape_type& shape) const {
  return draw(*bits_, "gumbel", {loc, scale}, shape);
}
array generator::hypergeometric(const operand& ngood, const operand& nbad, const operand& nsample,
                                const shape_type& shape) const {
  return draw(*bits_, "hypergeometric", {ngood, nbad, nsample}, shape);
}
array generator::laplace(const operand& loc, const operand& scale, const shape_type& shape) const {
  return draw(*bits_, "laplace", {loc, scale}, shape);
}
array generator::logistic(const operand& loc, const operand& scale, const shape_type& shape) const {
  return draw(*bits_, "logistic", {loc, scale}, shape);
}
array generator::lognormal(const operand& mean, const operand& sigma, const shape_type& shape) const {
  return draw(*bits_, "lognormal", {mean, sigma}, shape);
}
array generator::logseries(const operand& p, const shape_type& shape) const {
  return draw(*bits_, "logseries", {p}, shape);
}
array generator::negative_binomial(const operand& n, const operand& p, const shape_type& shape) const {
  return draw(*bits_, "negative_binomial", {n, p}, shape);
}
array generator::pareto(const operand& a, const shape_type& shape) const {
  return draw(*bits_, "pareto", {a}, shape);
}
array generator::power(const operand& a, const shape_type& shape) const {
  return draw(*bits_, "power", {a}, shape);
}
array generator::rayleigh(const operand& scale, const shape_type& shape) const {
  return draw(*bits_, "rayleigh", {scale}, shape);
}
array generator::triangular(const operand& left, const operand& mode, const operand& right,
                            const shape_type& shape) const {
  return draw(*bits_, "triangular", {left, mode, right}, shape);
}
array generator::vonmises(const operand& mu, const operand& kappa, const shape_type& shape) const {
  return draw(*bits_, "vonmises", {mu, kappa}, shape);
}
array generator::wald(const operand& mean, const operand& scale, const shape_type& shape) const {
  return draw(*bits_, "wald", {mean, scale}, shape);
}
array generator::weibull(const operand& a, const shape_type& shape) const {
  return draw(*bits_, "weibull", {a}, shape);
}
array generator::zipf(const operand& a, const shape_type& shape) const {
  return draw(*bits_, "zipf", {a}, shape);
}
array generator::law(std::string_view name, std::initializer_list<operand> parameters,
                     const shape_type& shape) const {
  return draw(*bits_, name, parameters, shape);
}

array generator::multinomial(const operand& n, const array& pvals, const shape_type& shape) const {
  const std::optional<Dims> size = shape.empty() ? std::nullopt : std::optional<Dims>(to_dims(shape));
  return array(ops::multinomial(*bits_, operand_access::value(n), pvals.implementation(), size));
}
array generator::dirichlet(const array& alpha, const shape_type& shape) const {
  return array(ops::dirichlet(*bits_, alpha.implementation(), to_dims(shape)));
}
array generator::multivariate_hypergeometric(const array& colors, std::int64_t nsample,
                                             const shape_type& shape, const std::string& method) const {
  return array(
      ops::multivariate_hypergeometric(*bits_, colors.implementation(), nsample, to_dims(shape), method));
}
array generator::multivariate_normal(const array& mean, const array& cov, const shape_type& shape,
                                     const multivariate_normal_options& options) const {
  ops::NormalVectorArgs args;
  args.size = to_dims(shape);
  args.check_valid = options.check_valid;
  args.tol = options.tol;
  args.method = options.method;
  return array(ops::multivariate_normal(*bits_, mean.implementation(), cov.implementation(), args));
}

array generator::integers(std::int64_t low, std::int64_t high, const shape_type& shape, dtype type) const {
  ops::IntegerArgs args;
  if (!shape.empty()) args.size = to_dims(shape);
  args.type = type;
  return array(ops::integers(*bits_, Value::integer(low), Value::integer(high), args, default_backend()));
}
array generator::permutation(std::int64_t n) const {
  return array(ops::shuffled_positions(*bits_, Dims{}, n, default_backend()));
}
array generator::permutation(const array& a) const {
  const Array& rows = a.implementation();
  if (rows.ndim() == 0)
    throw AxisError(
        "cuprum.random.permutation: an array of at least one dimension is needed, given shape ()");
  const Array order = ops::shuffled_positions(*bits_, Dims{}, rows.shape()[0], rows.backend());
  return array(ops::take(rows, order, 0));
}
void generator::shuffle(const array& a, std::int64_t axis) const {
  const Array& rows = a.implementation();
  if (rows.ndim() == 0)
    throw TypeError("cuprum.random.shuffle: an array of at least one dimension is needed, given shape ()");
  const std::int64_t n = rows.shape()[normalize_axis("random.shuffle", axis, rows.ndim())];
  const Array order = ops::shuffled_positions(*bits_, Dims{}, n, rows.backend());
  assign(rows, Input(ops::take(rows, order, axis)));
}
array generator::permuted(const array& a, std::optional<std::int64_t> axis) const {
  const array copy = a.copy();
  if (!axis) {
    const bool by_columns = copy.implementation().f_contiguous() && !copy.implementation().c_contiguous();
    const array rows = by_columns ? transpose(copy) : copy;
    rows(ellipsis) = permutation(ravel(rows)).reshape(rows.shape());
    return copy;
  }
  const array rows = moveaxis(copy, *axis, -1);
  shape_type outer = rows.shape();
  const std::int64_t n = outer.back();
  outer.pop_back();
  const Array order = ops::shuffled_positions(*bits_, to_dims(outer), n, rows.implementation().backend());
  rows(ellipsis) = take_along_axis(rows, array(order), -1);
  return copy;
}
array generator::choice(std::int64_t n, std::int64_t count) const {
  if (count < 0 || count > n)
    throw ValueError("cuprum.random.choice: Cannot take a larger sample than population, given " +
                     std::to_string(count) + " of " + std::to_string(n));
  return array(ops::sampled_positions(*bits_, n, count, true, default_backend()));
}

}  // namespace cuprum::random
