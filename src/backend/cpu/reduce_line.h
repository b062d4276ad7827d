// A reduction of one short line to one number, whose loops are called as they are: a plan and a program of blocks would cost three
// times as much as folding 16 elements (d.argmax(): 130 ns).
#pragma once

#include "runtime/program.h"

namespace cuprum::cpu {

/// Runs `kernel` if it is that: one reduction of at most one narrow block (reduce_loops.h), which it folds as the plan would. Says
/// whether it did.
bool reduce_line(const Kernel& kernel);

}  // namespace cuprum::cpu
