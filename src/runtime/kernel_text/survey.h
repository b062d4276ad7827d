// Which kernels a text defines, and in which of them threads may wait for each other.
//
// A kernel waits if it names a function that does (a barrier, a shuffle, a vote, a cooperative group), or anything of the program's that
// does. Names alone are looked at: a name that is found too often costs speed, not correctness.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "runtime/kernel_text/tokens.h"

namespace cuprum {

/// A kernel that the text defines, by positions of its tokens.
struct KernelText {
  std::string name;        // without namespaces
  std::size_t begin = 0;   // of the declaration
  std::size_t parameters;  // their parenthesis
  std::size_t body;        // its brace
};

struct Survey {
  /// Kernels that are no templates, with their namespaces; one that is overloaded has to be asked for by a name expression.
  std::vector<std::string> kernels;
  /// Names of the program's functions and classes whose text may wait.
  std::set<std::string, std::less<>> waiting;
  /// Names of those by whose text blocks may hear of each other while they run: through atomic functions, volatile memory, fences. The
  /// threads of such a kernel keep their order, block after block; so do those with __shared__ memory, of which there is one at a time.
  std::set<std::string, std::less<>> hearing;
  /// Names of functions and classes, no kernels, whose text names the index of a thread or a block.
  std::set<std::string, std::less<>> indexing;
  /// All kernels, templates too; and where they are declared without a body.
  std::vector<KernelText> texts, declarations;
  /// Names of functions that may change what they are given: they have parameters by reference.
  std::set<std::string, std::less<>> changing;
  /// There is __shared__ outside of kernels, for whichever kernel.
  bool shares = false;

  /// May a kernel of this name, or instance of a template, wait?
  bool waits(std::string_view name_expression) const;
  /// May its blocks hear of each other?
  bool hears(std::string_view name_expression) const;
  /// Does it name what knows the index of a thread?
  bool indexes(std::string_view name_expression) const;
};

Survey survey(const std::vector<Token>& tokens);

}  // namespace cuprum
