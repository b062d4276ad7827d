#include "backend/cuda/primitives/random/easy_elements.cuh"

namespace cuprum::cuda::primitives {

namespace {

template <class T, class U>
struct MakeInteger {
  bool masked;
  __host__ __device__ random::IntegerElement<T, U> operator()(const random::LawBits& p) const {
    return random::IntegerElement<T, U>(p, masked);
  }
};

template <class T, class U>
bool draw_as(Context& context, const DrawJob& job, const ElementParameters& arrays) {
  using L = random::IntegerElement<T, U>;
  const bool masked = job.draw.law == Law::masked_integers;
  if (arrays.data[0]) return launch_each_of<L>(context, job, arrays, MakeInteger<T, U>{masked});
  const L law(law_bits(job), masked);
  return law.bounded.rejects() == 0 ? launch_easy<true>(context, job, law)
                                    : launch_easy<false>(context, job, law);
}

}  // namespace

bool draw_integer_elements(Context& context, const DrawJob& job, const ElementParameters& arrays) {
  using namespace kernels;
  if (job.draw.law != Law::integers && job.draw.law != Law::masked_integers) return false;
  switch (itemsize(job.type)) {
    case 1: return draw_as<uint8, uint8>(context, job, arrays);
    case 2: return draw_as<uint16, uint16>(context, job, arrays);
    case 4: return draw_as<uint32, uint32>(context, job, arrays);
    default:
      return !arrays.data[0] && job.draw.parameters[1] <= 0xffffffffu
                 ? draw_as<uint64, uint32>(context, job, arrays)
                 : draw_as<uint64, uint64>(context, job, arrays);
  }
}

}  // namespace cuprum::cuda::primitives
