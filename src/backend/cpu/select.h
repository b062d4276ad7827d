// Boolean masks: count, compress, coordinates, assignment, see Backend::select.
#pragma once

#include "runtime/program.h"

namespace cuprum::cpu {

std::int64_t count_true(const View& mask);
void select(const View& in, const View& mask, const View& out);
void nonzero(const View& mask, const View& out);
void masked_assign(const View& to, const View& mask, const View& from);

}  // namespace cuprum::cpu
