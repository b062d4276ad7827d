// The head of a kernel: what it decides by its indices before it touches memory.
//
//   int i = blockIdx.x * blockDim.x + threadIdx.x;                       declarations
//   if (i >= n) return;                                                  conditions, before the rest or around it
//   for (int k = i; k < n; k += gridDim.x * blockDim.x) y[k] = 2 * x[k]; or a walk over the grid, and nothing behind it
//
// It reads indices, numbers, and the kernel's parameters that are numbers, and it changes variables of its own alone. So it may be run more than
// once: threads can be asked whether the conditions hold for all of them, and a walk can be made trip by trip. The functions that the
// text then calls, and why, are in language/cuprum_language/passes.h.
//
// A walk begins at a place that depends on the thread, goes on by a number of threads, and leaves the variables of the head as they are. Whatever
// does not look like this is left as it stands: that costs speed, not correctness.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/kernel_text/survey.h"
#include "runtime/kernel_text/tokens.h"

namespace cuprum::cpu {

/// What becomes of a token: another word, and a text behind it.
struct Edit {
  std::optional<std::string> instead;
  std::string behind;
};
using Edits = std::map<std::size_t, Edit>;

struct Head {
  enum Kind {
    none,
    asks,
    spans,  // asks, and the threads of a row for whom its conditions hold are neighbours: `0 < i && i < n`
    walks,
    strides  // walks from the index on, and the threads of a row that make a trip are neighbours
  };
  Kind kind = none;
  /// The index along x is all that the kernel knows of its thread and block along x: threads of neighbouring blocks are one row.
  bool joins = false;
  /// It calls what asks for indices itself.
  bool told = false;
  Edits edits;
};

/// May the indices in a kernel's body be those of a parameter (Place of passes.h) instead of variables that all can see? Classes in it and
/// lambdas that do not capture everything could not name them.
bool can_take_place(const std::vector<Token>& tokens, const KernelText& kernel);

/// The edits name the parameter.
Head read_head(const std::vector<Token>& tokens, const KernelText& kernel, const Survey& found);

}  // namespace cuprum::cpu
