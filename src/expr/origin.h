// Nodes in words: what an operation is called, and what a kernel computes and where the program asked for it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "expr/schedule.h"
#include "runtime/trace.h"

namespace cuprum {

/// "multiply", "sum", "logaddexp.reduce".
std::string operation_name(const Node& node);

/// " (computing exp at script.py:3, sum at script.py:4)": the operations that `group` fuses, in the order of the program;
/// for the text of an error.
std::string origin_of(const Group& group);

/// What `group` computes, for who records.
tracing::Note note_of(const Group& group);

/// Numbers nodes, and writes the line of each: "%3 = multiply(%1, 2) float32 (100, 3)".
class Printer {
 public:
  explicit Printer(const Schedule& plan);
  /// Without kernels.
  explicit Printer(const std::vector<const Node*>& nodes);

  std::string line(const Node& node) const;
  int number_of(const Node& node) const { return numbers_.at(&node); }
  /// The kernel that writes the node, or -1: it stays in registers.
  int kernel_of(const Node& node) const;
  /// The numbers of what a kernel writes.
  std::string outputs(const Group& group) const;

 private:
  void note_node(const Node& node);
  std::string operand(const Operand& o) const;
  bool is_fused(const Operand& o) const;

  const Schedule* plan_ = nullptr;
  std::map<const Node*, int> numbers_;
  std::map<const Node*, int> kernels_;
  std::map<const Buffer*, int> buffers_;
};

}  // namespace cuprum
