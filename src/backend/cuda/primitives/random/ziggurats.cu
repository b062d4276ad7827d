#include "backend/cuda/primitives/random/chain.cuh"
#include "backend/cuda/primitives/random/draw.h"
#include "kernels/random/normal.h"

namespace cuprum::cuda::primitives {

namespace {

#define CUPRUM_ZIGGURAT(name, U, T, number, easy_number)                                      \
  struct name {                                                                               \
    using Unit = kernels::U;                                                                  \
    using Number = T;                                                                         \
    __device__ bool easy(Unit bits, Number& x) const { return random::easy_number(bits, x); } \
    template <class R>                                                                        \
    __device__ Number operator()(R& r) const {                                                \
      return random::number(r);                                                               \
    }                                                                                         \
  };
CUPRUM_ZIGGURAT(Normal, uint64, double, standard_normal, easy_normal)
CUPRUM_ZIGGURAT(NormalFloat, uint32, float, standard_normal_f, easy_normal)
CUPRUM_ZIGGURAT(Exponential, uint64, double, standard_exponential, easy_exponential)
CUPRUM_ZIGGURAT(ExponentialFloat, uint32, float, standard_exponential_f, easy_exponential)
#undef CUPRUM_ZIGGURAT

}  // namespace

bool draw_ziggurats(Context& context, const DrawJob& job) {
  switch (job.draw.law) {
    case Law::standard_normal: draw_chain(context, job, Normal(), kNormalUnits); return true;
    case Law::standard_normal_f: draw_chain(context, job, NormalFloat(), kNormalUnits); return true;
    case Law::standard_exponential: draw_chain(context, job, Exponential(), kExponentialUnits); return true;
    case Law::standard_exponential_f:
      draw_chain(context, job, ExponentialFloat(), kExponentialUnits);
      return true;
    default: return false;
  }
}

}  // namespace cuprum::cuda::primitives
