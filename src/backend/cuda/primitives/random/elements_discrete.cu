#include "backend/cuda/primitives/random/elements.cuh"

namespace cuprum::cuda::primitives {

bool draw_discrete_elements(Context& context, const DrawJob& job, const ElementParameters& arrays) {
#define CUPRUM_EACH(name, Type) \
  case Law::name: return launch_law<random::Type>(context, job, arrays);
  switch (job.draw.law) {
    CUPRUM_DISCRETE_ELEMENT_LAWS(CUPRUM_EACH)
    default: return false;
  }
#undef CUPRUM_EACH
}

}  // namespace cuprum::cuda::primitives
