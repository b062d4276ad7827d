// Laws that take one draw, or half of one, for each number.
#include "backend/cuda/primitives/random/draw.h"
#include "backend/cuda/primitives/random/draws.cuh"
#include "kernels/random/continuous.h"
#include "kernels/random/log1p.h"

namespace cuprum::cuda::primitives {

namespace {

struct Uniform {
  Scaling scaling;
  __device__ double operator()(kernels::uint64 bits) const { return scaling(random::unit(bits)); }
};
struct UniformFloat {
  __device__ float operator()(kernels::uint32 bits) const { return random::unit(bits); }
};
struct InverseExponential {
  Scaling scaling;
  random::Log1p form;
  __device__ double operator()(kernels::uint64 bits) const {
    return scaling(-random::log1p_as(form, -random::unit(bits)));
  }
};
struct InverseExponentialFloat {
  random::Log1p form;
  __device__ float operator()(kernels::uint32 bits) const {
    return static_cast<float>(-random::log1p_as(form, -static_cast<double>(random::unit(bits))));
  }
};
struct Triangular {
  double left, mode, right;
  __device__ double operator()(kernels::uint64 bits) const {
    return random::triangular(random::unit(bits), left, mode, right);
  }
};
template <class U>
struct Bits {
  __device__ U operator()(U bits) const { return bits; }
};

/// Numbers of T, each from a unit of U.
template <class U, class T, class Number>
bool draw_each(Context& context, const DrawJob& job, const Number& number) {
  draw_units(context, job, EachUnit<U, T, Number>(static_cast<T*>(job.out), job.n, number));
  return true;
}

}  // namespace

bool draw_simple(Context& context, const DrawJob& job) {
  using kernels::uint32;
  using kernels::uint64;
  switch (job.draw.law) {
    case Law::random: return draw_each<uint64, double>(context, job, Uniform{job.scaling});
    case Law::random_f: return draw_each<uint32, float>(context, job, UniformFloat{});
    case Law::inverse_exponential:
      return draw_each<uint64, double>(context, job, InverseExponential{job.scaling, job.forms.wide});
    case Law::inverse_exponential_f:
      return draw_each<uint32, float>(context, job, InverseExponentialFloat{job.forms.wide});
    case Law::triangular:
      return draw_each<uint64, double>(context, job, Triangular{job.real(0), job.real(1), job.real(2)});
    case Law::raw: return draw_each<uint64, uint64>(context, job, Bits<uint64>{});
    case Law::half: return draw_each<uint32, uint32>(context, job, Bits<uint32>{});
    default: return false;
  }
}

}  // namespace cuprum::cuda::primitives
