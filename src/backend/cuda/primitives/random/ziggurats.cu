#include "backend/cuda/primitives/random/draw.h"
#include "backend/cuda/primitives/random/tile_walk.cuh"
#include "kernels/random/normal.h"

namespace cuprum::cuda::primitives {

namespace {

/// The tables that every number looks into, in shared memory: 256 strips, which a warp reads at 32 places at
/// a time.
template <class U, class T>
struct StripTables {
  U edges[256];
  T steps[256];

  __device__ U edge(kernels::uint64 strip) const { return edges[strip]; }
  __device__ T step(kernels::uint64 strip) const { return steps[strip]; }
};

#define CUPRUM_ZIGGURAT(name, U, T, number, easy_number, Strips)              \
  struct name {                                                               \
    using Unit = kernels::U;                                                  \
    using Number = T;                                                         \
    using Tables = StripTables<Unit, Number>;                                 \
    __device__ static void load(Tables& tables) {                             \
      for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) {              \
        tables.edges[i] = random::Strips::edge(i);                            \
        tables.steps[i] = random::Strips::step(i);                            \
      }                                                                       \
    }                                                                         \
    __device__ static bool easy(const Tables& tables, Unit bits, Number& x) { \
      return random::easy_number(bits, x, tables);                            \
    }                                                                         \
    template <class R>                                                        \
    __device__ Number operator()(R& r) const {                                \
      return random::number(r);                                               \
    }                                                                         \
  };
CUPRUM_ZIGGURAT(Normal, uint64, double, standard_normal, easy_normal, NormalStrips)
CUPRUM_ZIGGURAT(NormalFloat, uint32, float, standard_normal_f, easy_normal, NormalStripsFloat)
CUPRUM_ZIGGURAT(Exponential, uint64, double, standard_exponential, easy_exponential, ExponentialStrips)
CUPRUM_ZIGGURAT(ExponentialFloat, uint32, float, standard_exponential_f, easy_exponential,
                ExponentialStripsFloat)
#undef CUPRUM_ZIGGURAT

}  // namespace

bool draw_ziggurats(Context& context, const DrawJob& job) {
  switch (job.draw.law) {
    case Law::standard_normal: draw_easy_chain(context, job, Normal(), kNormalUnits); return true;
    case Law::standard_normal_f: draw_easy_chain(context, job, NormalFloat(), kNormalUnits); return true;
    case Law::standard_exponential:
      draw_easy_chain(context, job, Exponential(), kExponentialUnits);
      return true;
    case Law::standard_exponential_f:
      draw_easy_chain(context, job, ExponentialFloat(), kExponentialUnits);
      return true;
    default: return false;
  }
}

}  // namespace cuprum::cuda::primitives
