// Places of values in a sorted row, and what is made of them; see runtime/primitives.h.
#pragma once

#include "runtime/program.h"

namespace cuprum::cpu {

void searchsorted(const View& row, const View& values, bool right, const View& out);
void is_among(const View& row, const View& values, const View& out);
void count_between(const View& edges, const View& values, const View& out);

}  // namespace cuprum::cpu
