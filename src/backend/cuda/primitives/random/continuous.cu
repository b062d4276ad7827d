#include "backend/cuda/primitives/random/draw.h"
#include "backend/cuda/primitives/random/place_walk.cuh"
#include "backend/cuda/primitives/random/try_walk.cuh"
#include "kernels/random/laws.h"

namespace cuprum::cuda::primitives {

namespace {

namespace math = kernels::math;

struct OfDraws {
  using Unit = kernels::uint64;
  using Number = double;
  double a, b, c;
};

struct StandardGamma : OfDraws {
  template <class R>
  __device__ double operator()(R& r) const {
    return random::standard_gamma<random::Modern, double>(r, a);
  }
};
/// Of a shape above 1.
struct LargeGamma : StandardGamma {
  random::LargeGamma<double> gamma;
  __device__ random::Tried attempt(Unit first, Unit second, double& x) const {
    return gamma.attempt(first, second, x);
  }
};
#define CUPRUM_LAW(name, expression)           \
  struct law_##name : OfDraws {                \
    template <class R>                         \
    __device__ double operator()(R& r) const { \
      return expression;                       \
    }                                          \
  };
CUPRUM_ALGEBRAIC_LAWS(CUPRUM_LAW)
#undef CUPRUM_LAW

double units_of(Law law) {
  switch (law) {
    case Law::beta:
    case Law::f: return 2 * kGammaUnits;
    case Law::noncentral_chisquare:
    case Law::standard_t: return kNormalUnits + kGammaUnits;
    case Law::noncentral_f: return kNormalUnits + 2 * kGammaUnits;
    case Law::standard_cauchy: return 2 * kNormalUnits;
    case Law::standard_rayleigh: return kExponentialUnits;
    case Law::wald: return kNormalUnits + 1;
    default: return kGammaUnits;
  }
}

}  // namespace

bool draw_continuous(Context& context, const DrawJob& job) {
  const OfDraws parameters = {job.real(0), job.real(1), job.real(2)};
#define CUPRUM_LAW(name, expression)                                                   \
  case Law::name:                                                                      \
    draw_stored<PlaceWalk>(context, job, law_##name{parameters}, units_of(Law::name)); \
    return true;
  switch (job.draw.law) {
    case Law::standard_gamma:
      if (parameters.a > 1)
        draw_stored<TryWalk>(context, job, LargeGamma{{parameters}, random::LargeGamma<double>(parameters.a)},
                             kGammaUnits);
      else
        draw_stored<PlaceWalk>(context, job, StandardGamma{parameters}, kExponentialUnits);
      return true;
      CUPRUM_ALGEBRAIC_LAWS(CUPRUM_LAW)
    default: return false;
  }
#undef CUPRUM_LAW
}

}  // namespace cuprum::cuda::primitives
