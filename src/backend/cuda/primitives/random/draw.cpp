#include "backend/cuda/primitives/random/draw.h"

#include <cmath>

#include "backend/cuda/primitives/common/views.h"
#include "backend/cuda/primitives/random/elements.h"
#include "runtime/own_streams.h"

namespace cuprum::cuda {

namespace {

using kernels::random::Log1p;
using kernels::random::log1p_as;
using kernels::random::Log1pForms;

/// Is the C library's log1p of T this one? Where two forms differ at all, they do for one argument of three
/// thousand.
template <Log1p kForm, class T>
bool is_host_form() {
  std::uint64_t x = 1;
  for (int i = 0; i < 100'000; ++i) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    const T u = static_cast<T>(x >> 40) * static_cast<T>(0x1p-24) * static_cast<T>(1 - 0x1p-24);
    const T expected = std::log1p(-u), got = log1p_as(kForm, -u);
    if (got != expected) return false;
  }
  return true;
}

Log1pForms host_forms() {
  static const Log1pForms forms = {is_host_form<Log1p::fused, double>()      ? Log1p::fused
                                   : is_host_form<Log1p::separate, double>() ? Log1p::separate
                                                                             : Log1p::unknown,
                                   is_host_form<Log1p::separate, float>()  ? Log1p::separate
                                   : is_host_form<Log1p::rounded, float>() ? Log1p::rounded
                                                                           : Log1p::unknown};
  return forms;
}

/// Does the law have a form for these parameters? Numbers that are not finite, and such that no draw is
/// needed, are left to the CPU.
bool has_form(const Draw& p) {
  const auto real = [&](std::size_t i) { return std::bit_cast<double>(p.parameters[i]); };
  const auto is_shape = [](double x) { return x >= 1 && std::isfinite(x); };
  switch (p.law) {
    case Law::random:
    case Law::random_f:
    case Law::raw:
    case Law::half:
    case Law::triangular: return true;
    case Law::integers:
    case Law::masked_integers: return p.parameters[1] != 0;
    case Law::standard_normal_f:
    case Law::standard_exponential_f: return host_forms().narrow != Log1p::unknown;
    default: break;
  }
  if (host_forms().wide == Log1p::unknown) return false;
  switch (p.law) {
    case Law::inverse_exponential:
    case Law::inverse_exponential_f:
    case Law::standard_normal:
    case Law::standard_exponential:
    case Law::standard_cauchy:
    case Law::standard_rayleigh: return true;
    case Law::standard_gamma: return is_shape(real(0));
    case Law::chisquare:
    case Law::standard_t: return is_shape(real(0) / 2);
    case Law::f: return is_shape(real(0) / 2) && is_shape(real(1) / 2);
    case Law::beta: return is_shape(real(0)) && is_shape(real(1)) && real(0) + real(1) > 2;
    case Law::noncentral_chisquare: return is_shape((real(0) - 1) / 2) && std::isfinite(real(1));
    case Law::noncentral_f:
      return is_shape((real(0) - 1) / 2) && is_shape(real(1) / 2) && std::isfinite(real(2));
    case Law::wald: return std::isfinite(real(0)) && std::isfinite(real(1));
    case Law::poisson: return real(0) > 0 && std::isfinite(real(0));
    case Law::binomial: return p.parameters[0] != 0 && real(1) > 0 && std::isfinite(real(1));
    case Law::negative_binomial: return is_shape(real(0)) && real(1) > 0;
    case Law::geometric: return std::isfinite(real(0));
    // Numbers are logarithms and powers rounded down; these are so small that the last bits hardly ever
    // matter (1e-12 of them).
    case Law::zipf: return real(0) >= 3 && real(0) < 1025;
    case Law::logseries: return real(0) <= 0.9999;
    default: return false;
  }
}

}  // namespace

Log1pForms log1p_forms() { return host_forms(); }

/// A stream for each number, of a state that the host knows.
bool has_element_form(const Draw& p) { return p.from && has_own_streams(p.kind, p.law); }
/// Single bits are those of the generator's draws.
bool draws_elements(const Draw& p, dtype type, bool arrays) {
  return has_element_form(p) && (arrays || !is_bool(type));
}

bool has_form(const Draw& p, Operands in) {
  const std::size_t state = p.from ? 0 : 1;
  if (has_element_form(p)) return in.size() > state || has_form(p) || p.law <= Law::hypergeometric;
  if (is_order(p)) return p.from != nullptr;
  return can_skip(p.kind) && in.size() == state && has_form(p);
}

void call(Context& context, const Draw& p, Operands in, Operands out) {
  using namespace primitives;
  DenseOutput numbers(context, out[0]);
  DrawJob job = {p,
                 p.kind,
                 {},
                 out[0].type,
                 numbers.view().data.address(),
                 size_of(out[0]),
                 nullptr,
                 {p.scaled, p.loc, p.scale},
                 host_forms()};
  if (p.from)
    pack(*p.from, job.state.words);
  else
    job.state.left = reinterpret_cast<const std::uint64_t*>(in[0].data.address());
  if (out.size() > 1) job.words = reinterpret_cast<std::uint64_t*>(out[1].data.address());
  const Operands arrays = in.subspan(p.from ? 0 : 1);
  if (is_order(p))
    draw_order(context, job);
  else if (draws_elements(p, job.type, !arrays.empty()))
    draw_elements(context, job, arrays);
  else
    draw_simple(context, job) || draw_ziggurats(context, job) || draw_continuous(context, job) ||
        draw_discrete(context, job) || draw_integers(context, job);
  numbers.finish(context);
}

}  // namespace cuprum::cuda
