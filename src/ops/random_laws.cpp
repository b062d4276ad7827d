// The laws by name: their parameters, what these must be, and how a number is made of them.
#include <array>
#include <cmath>
#include <string>

#include "core/layout.h"
#include "core/promotion.h"
#include "ops/assign.h"
#include "ops/creation.h"
#include "ops/elementwise.h"
#include "ops/manipulate.h"
#include "ops/random.h"
#include "ops/random_support.h"
#include "ops/reduce.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

// -- The table.

enum class Must : std::uint8_t {
  be_anything,
  be_not_negative,
  be_positive,
  be_positive_number,  // not NaN either
  be_in_0_1,
  be_above_0_to_1,
  be_from_0_below_1,
  be_above_1,
  be_at_least_1,
  be_a_mean,  // of a Poisson law whose numbers fit an int64
};

/// r: a real parameter of the law, i: an integer; l and s: result = l + s * number.
struct ParameterSpec {
  const char* name;
  char role;
  Must must = Must::be_anything;
  Must legacy_must = must;
};

struct Distribution {
  std::string_view name;
  Law law;
  Law legacy;
  std::array<ParameterSpec, 3> parameters = {};
  std::optional<Law> single = {};  // in float32

  std::size_t count() const {
    std::size_t n = 0;
    while (n < 3 && parameters[n].name) ++n;
    return n;
  }
};

constexpr ParameterSpec kLoc = {"loc", 'l'}, kScale = {"scale", 's', Must::be_not_negative};
constexpr ParameterSpec real(const char* name, Must must = Must::be_positive) { return {name, 'r', must}; }
constexpr ParameterSpec count(const char* name) { return {name, 'i', Must::be_not_negative}; }

constexpr Distribution kDistributions[] = {
    {"random", Law::random, Law::random, {}, Law::random_f},
    {"uniform",
     Law::random,
     Law::random,
     {{{"low", 'l'}, {"high - low", 's', Must::be_not_negative, Must::be_anything}}}},
    {"standard_normal", Law::standard_normal, Law::legacy_normal, {}, Law::standard_normal_f},
    {"normal", Law::standard_normal, Law::legacy_normal, {{kLoc, kScale}}},
    {"standard_exponential",
     Law::standard_exponential,
     Law::legacy_exponential,
     {},
     Law::standard_exponential_f},
    {"inverse_exponential",
     Law::inverse_exponential,
     Law::legacy_exponential,
     {},
     Law::inverse_exponential_f},
    {"exponential", Law::standard_exponential, Law::legacy_exponential, {{kScale}}},
    {"standard_gamma",
     Law::standard_gamma,
     Law::legacy_gamma,
     {{real("shape", Must::be_not_negative)}},
     Law::standard_gamma_f},
    {"gamma", Law::standard_gamma, Law::legacy_gamma, {{real("shape", Must::be_not_negative), kScale}}},
    {"beta", Law::beta, Law::legacy_beta, {{real("a"), real("b")}}},
    {"chisquare", Law::chisquare, Law::legacy_chisquare, {{real("df")}}},
    {"noncentral_chisquare",
     Law::noncentral_chisquare,
     Law::legacy_noncentral_chisquare,
     {{real("df"), real("nonc", Must::be_not_negative)}}},
    {"f", Law::f, Law::legacy_f, {{real("dfnum"), real("dfden")}}},
    {"noncentral_f",
     Law::noncentral_f,
     Law::legacy_noncentral_f,
     {{real("dfnum"), real("dfden"), real("nonc", Must::be_not_negative)}}},
    {"standard_cauchy", Law::standard_cauchy, Law::legacy_cauchy},
    {"standard_t", Law::standard_t, Law::legacy_t, {{real("df")}}},
    {"vonmises",
     Law::vonmises,
     Law::legacy_vonmises,
     {{real("mu", Must::be_anything), real("kappa", Must::be_not_negative)}}},
    {"pareto", Law::pareto, Law::legacy_pareto, {{real("a")}}},
    {"weibull", Law::weibull, Law::legacy_weibull, {{real("a", Must::be_not_negative)}}},
    {"power", Law::power, Law::legacy_power, {{real("a")}}},
    {"laplace", Law::standard_laplace, Law::standard_laplace, {{kLoc, kScale}}},
    {"gumbel", Law::standard_gumbel, Law::standard_gumbel, {{kLoc, kScale}}},
    {"logistic", Law::standard_logistic, Law::standard_logistic, {{kLoc, kScale}}},
    {"lognormal",
     Law::lognormal,
     Law::legacy_lognormal,
     {{real("mean", Must::be_anything), real("sigma", Must::be_not_negative)}}},
    {"rayleigh", Law::standard_rayleigh, Law::legacy_rayleigh, {{kScale}}},
    {"wald", Law::wald, Law::legacy_wald, {{real("mean"), real("scale")}}},
    {"triangular",
     Law::triangular,
     Law::triangular,
     {{real("left", Must::be_anything), real("mode", Must::be_anything), real("right", Must::be_anything)}}},
    {"poisson", Law::poisson, Law::poisson, {{real("lam", Must::be_a_mean)}}},
    {"negative_binomial",
     Law::negative_binomial,
     Law::legacy_negative_binomial,
     {{{"n", 'r', Must::be_positive_number, Must::be_positive},
       {"p", 'r', Must::be_above_0_to_1, Must::be_in_0_1}}}},
    {"binomial", Law::binomial, Law::legacy_binomial, {{count("n"), real("p", Must::be_in_0_1)}}},
    {"geometric", Law::geometric, Law::legacy_geometric, {{real("p", Must::be_above_0_to_1)}}},
    {"zipf", Law::zipf, Law::legacy_zipf, {{real("a", Must::be_above_1)}}},
    {"logseries", Law::logseries, Law::legacy_logseries, {{real("p", Must::be_from_0_below_1)}}},
    {"hypergeometric",
     Law::hypergeometric,
     Law::legacy_hypergeometric,
     {{count("ngood"), count("nbad"), {"nsample", 'i', Must::be_not_negative, Must::be_at_least_1}}}},
};

const Distribution& distribution(std::string_view name) {
  for (const Distribution& d : kDistributions) {
    if (d.name == name) return d;
  }
  throw ValueError("cuprum.random: there is no law named '" + std::string(name) + "'");
}

const double kLargestMean = 0x1p63 - std::sqrt(0x1p63) * 10;

// -- Checks. A number is checked on the host; of arrays the device looks at all elements, and the call waits for the answer.

bool any_true(const Array& a) { return to_truth(any(a)); }
bool any_compare(Op op, const Value& a, const Value& b) { return any_true(binary(op, a, b)); }
bool all_compare(Op op, const Array& a, double b) {
  return !any_true(unary(Op::logical_not, binary(op, a, Value::floating(b))));
}

void check_number(std::string_view law, const ParameterSpec& spec, Must must, double x) {
  const std::string name = spec.name;
  switch (must) {
    case Must::be_anything: return;
    case Must::be_not_negative:
      if (spec.role == 'i' ? x < 0 : !std::isnan(x) && std::signbit(x)) refuse(law, name + " < 0");
      return;
    case Must::be_positive_number:
      if (std::isnan(x)) refuse(law, name + " must not be NaN");
      [[fallthrough]];
    case Must::be_positive:
      if (x <= 0) refuse(law, name + " <= 0");
      return;
    case Must::be_in_0_1:
      if (!(x >= 0 && x <= 1)) refuse(law, name + " < 0, " + name + " > 1 or " + name + " is NaN");
      return;
    case Must::be_above_0_to_1:
      if (!(x > 0 && x <= 1)) refuse(law, name + " <= 0, " + name + " > 1 or " + name + " contains NaNs");
      return;
    case Must::be_from_0_below_1:
      if (!(x >= 0 && x < 1)) refuse(law, name + " < 0, " + name + " >= 1 or " + name + " is NaN");
      return;
    case Must::be_above_1:
      if (!(x > 1)) refuse(law, name + " <= 1 or " + name + " is NaN");
      return;
    case Must::be_at_least_1:
      if (!(x >= 1)) refuse(law, name + " < 1 or " + name + " is NaN");
      return;
    case Must::be_a_mean:
      if (!(x >= 0)) refuse(law, name + " < 0 or " + name + " is NaN");
      if (!(x <= kLargestMean)) refuse(law, name + " value too large");
      return;
  }
}

void check_array(std::string_view law, const ParameterSpec& spec, Must must, const Array& a) {
  const std::string name = spec.name;
  switch (must) {
    case Must::be_anything: return;
    case Must::be_not_negative: {
      const bool negative =
          spec.role == 'i' ? any_compare(Op::less, a, Value::integer(0))
                           : any_true(binary(Op::logical_and, unary(Op::logical_not, unary(Op::isnan, a)),
                                             unary(Op::signbit, a)));
      if (negative) refuse(law, name + " < 0");
      return;
    }
    case Must::be_positive_number:
      if (any_true(unary(Op::isnan, a))) refuse(law, name + " must not be NaN");
      [[fallthrough]];
    case Must::be_positive:
      if (any_compare(Op::less_equal, a, Value::floating(0))) refuse(law, name + " <= 0");
      return;
    case Must::be_in_0_1:
      if (!all_compare(Op::greater_equal, a, 0) || !all_compare(Op::less_equal, a, 1))
        refuse(law, name + " < 0, " + name + " > 1 or " + name + " contains NaNs");
      return;
    case Must::be_above_0_to_1:
      if (!all_compare(Op::greater, a, 0) || !all_compare(Op::less_equal, a, 1))
        refuse(law, name + " <= 0, " + name + " > 1 or " + name + " contains NaNs");
      return;
    case Must::be_from_0_below_1:
      if (!all_compare(Op::greater_equal, a, 0) || !all_compare(Op::less, a, 1))
        refuse(law, name + " < 0, " + name + " >= 1 or " + name + " contains NaNs");
      return;
    case Must::be_above_1:
      if (!all_compare(Op::greater, a, 1)) refuse(law, name + " <= 1 or " + name + " contains NaNs");
      return;
    case Must::be_at_least_1:
      if (!all_compare(Op::greater_equal, a, 1)) refuse(law, name + " < 1 or " + name + " contains NaNs");
      return;
    case Must::be_a_mean:
      if (!all_compare(Op::less_equal, a, kLargestMean)) refuse(law, name + " value too large");
      if (!all_compare(Op::greater_equal, a, 0)) refuse(law, name + " < 0 or " + name + " contains NaNs");
      return;
  }
}

/// a < b somewhere, for two parameters.
bool exceeds(Op op, const Parameter& a, const Parameter& b, char role) {
  const auto value = [&](const Parameter& p) {
    if (p.array) return Value(*p.array);
    return role == 'i' ? Value::integer(p.integer) : Value::floating(p.number);
  };
  if (a.array || b.array) return any_compare(op, value(a), value(b));
  const double x = role == 'i' ? static_cast<double>(a.integer) : a.number,
               y = role == 'i' ? static_cast<double>(b.integer) : b.number;
  return op == Op::greater ? x > y : op == Op::greater_equal ? x >= y : op == Op::less ? x < y : x == y;
}

using Parameters = std::vector<Parameter>;

Parameter sum_of(const Parameter& a, const Parameter& b) {
  if (!a.array && !b.array) return {{}, 0, a.integer + b.integer};
  const auto value = [](const Parameter& p) { return p.array ? Value(*p.array) : Value::integer(p.integer); };
  return {binary(Op::add, value(a), value(b)), 0, 0};
}

/// What parameters must be to each other.
void check_together(const Distribution& d, const Parameters& p, bool legacy) {
  if (d.law == Law::triangular) {
    if (exceeds(Op::greater, p[0], p[1], 'r')) refuse(d.name, "left > mode");
    if (exceeds(Op::greater, p[1], p[2], 'r')) refuse(d.name, "mode > right");
    if (exceeds(Op::equal, p[0], p[2], 'r')) refuse(d.name, "left == right");
  } else if (d.law == Law::hypergeometric) {
    const Parameter most = {{}, 1e9, 1000000000};
    if (!legacy &&
        (exceeds(Op::greater_equal, p[0], most, 'i') || exceeds(Op::greater_equal, p[1], most, 'i')))
      refuse(d.name, "both ngood and nbad must be less than 1000000000");
    if (exceeds(Op::less, sum_of(p[0], p[1]), p[2], 'i')) refuse(d.name, "ngood + nbad < nsample");
  }
}

/// The Poisson law that a negative binomial number is drawn from in the end must be one.
void check_negative_binomial(const Parameters& p) {
  const auto odds = [](const Parameter& x) -> Parameter {
    if (!x.array) return {{}, (1 - x.number) / x.number, 0};
    return {binary(Op::divide, binary(Op::subtract, Value::floating(1), *x.array), *x.array), 0, 0};
  };
  const auto spread = [](const Parameter& x) -> Parameter {
    if (!x.array) return {{}, x.number + 10 * std::sqrt(x.number), 0};
    const Array deviations = binary(Op::multiply, Value::floating(10), unary(Op::sqrt, *x.array));
    return {binary(Op::add, *x.array, deviations), 0, 0};
  };
  const Parameter a = odds(p[1]), b = spread(p[0]);
  const auto value = [](const Parameter& x) { return x.array ? Value(*x.array) : Value::floating(x.number); };
  const bool large = a.array || b.array ? any_compare(Op::greater, binary(Op::multiply, value(a), value(b)),
                                                      Value::floating(kLargestMean))
                                        : a.number * b.number > kLargestMean;
  if (large) refuse("negative_binomial", "n too large or p too small, see Generator.negative_binomial Notes");
}

// -- Reading what was given.

/// uniform(low, high): the second becomes the range.
void make_range(Parameters& p, bool legacy) {
  const auto value = [](const Parameter& x) { return x.array ? Value(*x.array) : Value::floating(x.number); };
  if (!p[0].array && !p[1].array) {
    p[1].number -= p[0].number;
    if (!std::isfinite(p[1].number))
      throw OverflowError(std::string("cuprum.random.uniform: ") +
                          (legacy ? "Range exceeds valid bounds" : "high - low range exceeds valid bounds"));
    return;
  }
  p[1].array = binary(Op::subtract, value(p[1]), value(p[0]));
  if (any_true(unary(Op::logical_not, unary(Op::isfinite, *p[1].array))))
    throw OverflowError("cuprum.random.uniform: Range exceeds valid bounds");
}

Parameters read(const Distribution& d, std::span<const Value> given, bool legacy) {
  Parameters p;
  for (std::size_t i = 0; i < given.size(); ++i)
    p.push_back(parameter_of(d.name, given[i], d.parameters[i].role));
  if (d.name == "uniform") make_range(p, legacy);
  check_together(d, p, legacy);
  bool arrays = false;
  for (const Parameter& x : p) arrays |= x.array.has_value();
  for (std::size_t i = 0; i < p.size(); ++i) {
    const ParameterSpec& spec = d.parameters[i];
    const Must must = legacy ? spec.legacy_must : spec.must;
    if (p[i].array)
      check_array(d.name, spec, must, *p[i].array);
    else
      check_number(d.name, spec, must, spec.role == 'i' ? static_cast<double>(p[i].integer) : p[i].number);
  }
  if (d.law == Law::negative_binomial && !legacy) check_negative_binomial(p);
  return p;
}

// -- The result's shape.

Dims result_shape(const Distribution& d, const Parameters& p, const std::optional<Dims>& size) {
  std::vector<Dims> shapes;
  if (size) shapes.push_back(*size);
  for (const Parameter& x : p) {
    if (x.array) shapes.push_back(x.array->shape());
  }
  if (shapes.empty()) return Dims{};
  const std::string function = "random." + std::string(d.name);
  const Dims all = broadcast_shapes(function.c_str(), shapes.data(), static_cast<int>(shapes.size()));
  if (size && all != *size)
    refuse(d.name, "Output size " + to_string(*size) +
                       " is not compatible with broadcast dimensions of inputs " + to_string(all) + ".");
  return all;
}

/// `out` as it is filled: the transposed of one in Fortran order.
Array fillable(const Distribution& d, const Array& out, dtype type, const std::optional<Dims>& size,
               bool needs_c) {
  const std::int64_t item = static_cast<std::int64_t>(itemsize(type));
  if (out.type() != type) {
    throw TypeError("cuprum.random." + std::string(d.name) +
                    ": Supplied output array has the wrong type. Expected " + name(type) + ", got " +
                    name(out.type()));
  }
  const bool c = is_c_contiguous(out.shape(), out.strides(), item);
  if (!out.writeable() || (!c && (needs_c || !is_f_contiguous(out.shape(), out.strides(), item)))) {
    refuse(d.name, std::string("Supplied output array must be ") + (needs_c ? "C-" : "") +
                       "contiguous, writable, aligned, and in machine byte-order.");
  }
  if (size && *size != out.shape()) refuse(d.name, "size must match out.shape when used together");
  return c ? out : transpose(out);
}

/// Draws numbers of `shape`; loc and scale are applied by the law where they are numbers, else by recorded operations.
Array drawn(BitGenerator& g, const Distribution& d, Law law, const Parameters& p, dtype type,
            const Dims& shape, Backend& backend) {
  Draw draw{law, {}, {}};
  std::vector<Array> arrays;
  bool any_array = false;
  const Parameter *loc = nullptr, *scale = nullptr;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const char role = d.parameters[i].role;
    if (role == 'l') loc = &p[i];
    if (role == 's') scale = &p[i];
    if (role == 'r' || role == 'i') any_array |= p[i].array.has_value();
  }
  for (std::size_t i = 0, k = 0; i < p.size(); ++i) {
    const char role = d.parameters[i].role;
    if (role != 'r' && role != 'i') continue;
    const dtype kind = role == 'i' ? dtype::int64 : dtype::float64;
    draw.parameters[k++] = p[i].bits(role);
    if (!any_array) continue;
    const Scalar number = role == 'i' ? Scalar::of(kind, p[i].integer) : Scalar::of(kind, p[i].number);
    arrays.push_back(broadcast_to(p[i].array ? *p[i].array : full(Dims{}, number, 'C', backend), shape));
  }
  const bool numbers = !(loc && loc->array) && !(scale && scale->array);
  draw.scaled = (loc || scale) && numbers;
  if (draw.scaled) {
    draw.loc = loc ? loc->number : 0.0;
    draw.scale = scale->number;
  }
  std::vector<const Array*> in;
  for (const Array& a : arrays) in.push_back(&a);
  Array result = g.draw(std::move(draw), in, type, shape, backend);
  if (numbers) return result;
  const auto input = [](const Parameter& x) { return x.array ? Value(*x.array) : Value::floating(x.number); };
  result = binary(Op::multiply, input(*scale), result);
  return loc ? binary(Op::add, input(*loc), result) : result;
}

dtype type_of(Law law) {
#define CUPRUM_TYPE(name, type, parameters) \
  case Law::name: return dtype::type;
  switch (law) { CUPRUM_LAWS(CUPRUM_TYPE) }
#undef CUPRUM_TYPE
  return dtype::float64;
}

}  // namespace

void refuse(std::string_view law, const std::string& what) {
  throw ValueError("cuprum.random." + std::string(law) + ": " + what);
}

Parameter parameter_of(std::string_view law, const Value& v, char role) {
  const dtype type = role == 'i' ? dtype::int64 : dtype::float64;
  const bool number = !v.is_array() && role == 'i';  // of Python or NumPy: int() reads it, as in NumPy
  if (number && is_floating(v.type())) {
    const double x = v.to_scalar(dtype::float64).as<double>();
    if (!(std::fabs(x) < 0x1p63)) refuse(law, "cannot convert float to integer");
    return {{}, 0, static_cast<std::int64_t>(x)};
  }
  if (!can_cast(v.operand_type(), type) && !(number && is_integer(v.type()))) {
    throw TypeError("cuprum.random." + std::string(law) + ": Cannot cast array data from " + name(v.type()) +
                    " to " + name(type) + " according to the rule 'safe'");
  }
  if (v.is_array() && v.array().ndim() > 0) return {record_cast(v.array(), type), 0, 0};
  Scalar s;
  s.type = type;
  if (v.is_array()) {
    copy_to_host(record_cast(v.array(), type), s.bytes);
  } else {
    s = v.to_scalar(type);
  }
  return role == 'i' ? Parameter{{}, 0, s.as<std::int64_t>()} : Parameter{{}, s.as<double>(), 0};
}

Array draw_law(BitGenerator& g, std::string_view name, std::span<const Value> given, const DrawArgs& args,
               Backend& backend) {
  const Distribution& d = distribution(name);
  if (given.size() != d.count())
    throw TypeError("cuprum.random." + std::string(name) + ": wrong number of parameters");
  const bool single = args.type == dtype::float32 && d.single;
  const Law law = single ? *d.single : args.legacy ? d.legacy : d.law;
  const dtype type = type_of(law);
  const Parameters p = read(d, given, args.legacy);
  bool arrays = false;
  for (const Parameter& x : p) arrays |= x.array.has_value();
  if (args.out) {
    const Array target = fillable(d, *args.out, type, args.size, d.count() > 0);
    const Dims shape = result_shape(d, p, target.shape());
    cuprum::assign(target, Input(drawn(g, d, law, p, type, shape, args.out->backend())));
    return *args.out;
  }
  const Dims shape = result_shape(d, p, args.size);
  const Array result = drawn(g, d, law, p, type, shape, backend);
  return args.size || arrays ? result : value_if_0d(result);
}

}  // namespace cuprum::ops
