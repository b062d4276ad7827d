// Nodes in words: what an operation is called, and what a kernel computes and where the program asked for it.
#pragma once

#include <string>

#include "expr/schedule.h"

namespace cuprum {

/// "multiply", "sum", "logaddexp.reduce".
std::string operation_name(const Node& node);

/// " (computing exp at script.py:3, sum at script.py:4)": the operations that `group` fuses, in the order of the program;
/// for the text of an error.
std::string origin_of(const Group& group);

}  // namespace cuprum
