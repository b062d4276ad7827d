// Which calls are leaves of the kernels that read them.
#include <algorithm>

#include "backend/cuda/context.h"
#include "backend/cuda/primitives/index/positions.cuh"
#include "backend/cuda/primitives/random/draw.h"
#include "codegen/draws.h"
#include "core/layout.h"

namespace cuprum::cuda {

namespace {

using namespace primitives;

/// Single words that are read from a table beyond the cache are not: the call reads them in the table's order (index_strategy.h).
bool fuses_gather(const DeviceFacts& facts, const View& table, const View& index) {
  if (!is_integer(index.type)) return false;
  if (table.shape.size() != 1) return true;
  IndexWork work;
  work.positions = element_count(index.shape);
  work.places = table.shape[0];
  work.step = std::abs(table.strides[0]);
  work.word = static_cast<std::int64_t>(itemsize(table.type));
  work.numbered = work.in_a_row = true;
  return gather_way(work, device_of(facts)) != GatherWay::walk;
}

}  // namespace

bool fuses(const DeviceFacts& facts, const Primitive& call, Operands in, dtype type) {
  if (std::holds_alternative<Gather>(call)) return fuses_gather(facts, in[0], in[1]);
  const auto* draw = std::get_if<Draw>(&call);
  return draw && draws_in_kernels(*draw, type) && has_form(*draw, in);
}

}  // namespace cuprum::cuda
