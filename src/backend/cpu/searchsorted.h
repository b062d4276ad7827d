// Places of values in a sorted row; see Backend::searchsorted.
#pragma once

#include "runtime/program.h"

namespace cuprum::cpu {

void searchsorted(const View& row, const View& values, bool right, const View& out);

}  // namespace cuprum::cpu
