// Generators with a stream for each number: what the host knows of a call, and the families of laws.
#pragma once

#include "backend/cuda/context.h"
#include "backend/cuda/primitives/random/chain_work.h"

namespace cuprum::cuda::primitives {

/// Arrays of parameters: each element a number's (step 1), or one for all (step 0). Null: parameters are numbers.
struct ElementParameters {
  const std::uint64_t* data[3] = {};
  int step[3] = {};
};

bool draw_elements(Context& context, const DrawJob& job, Operands arrays);

// Each knows the laws of its file, and says whether this is one.
bool draw_easy_elements(Context& context, const DrawJob& job);  // with numbers as parameters
bool draw_integer_elements(Context& context, const DrawJob& job, const ElementParameters& arrays);
bool draw_continuous_elements(Context& context, const DrawJob& job, const ElementParameters& arrays);
bool draw_discrete_elements(Context& context, const DrawJob& job, const ElementParameters& arrays);

/// The beginning of an order of many positions: is_order(job.draw).
void draw_order(Context& context, const DrawJob& job);

}  // namespace cuprum::cuda::primitives
