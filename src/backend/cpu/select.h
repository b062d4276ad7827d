// Boolean masks: count, compress, coordinates, assignment, see runtime/primitives.h.
#pragma once

#include "runtime/backend.h"

namespace cuprum::cpu {

std::shared_ptr<const CountedMask> count_true(const View& mask);
void select(const View& in, const View& mask, const CountedMask& counted, const View& out);
void nonzero(const View& mask, const CountedMask& counted, const View& out);
void masked_assign(const View& to, const View& mask, const CountedMask& counted, const View& from);
void masked_fill(const View& to, const View& mask, const View& value);

}  // namespace cuprum::cpu
