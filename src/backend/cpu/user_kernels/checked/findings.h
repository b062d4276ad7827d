// What is wrong with a launch, for the one who wrote the kernel: the first finding in full, the others in a line each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backend/cpu/user_kernels/checked/line_table.h"
#include "backend/cpu/user_kernels/language/cuprum_language/machine.h"

namespace cuprum::cpu {

enum class Wrong { outside, misaligned, unwritten, race, barrier };

/// Where a thread is: "block (1, 0, 0), thread (31, 0, 0)".
struct ThreadPlace {
  cuprum_language::Dim block, thread;
};
bool operator<(const ThreadPlace& a, const ThreadPlace& b);  // in the order of their numbers
std::string to_text(const ThreadPlace& place);

class Findings {
 public:
  explicit Findings(const LineTable& lines) : lines_(lines) {}

  /// Findings of one kind in one line are one, told of its first thread: what().
  template <class F>
  void add(Wrong wrong, std::uint32_t line, const ThreadPlace& where, F what) {
    for (Finding& f : all_) {
      if (f.wrong != wrong || f.line != line) continue;
      ++f.count;
      if (where < f.where) f = {wrong, line, where, what(), f.count};
      return;
    }
    if (all_.size() < kMost) all_.push_back({wrong, line, where, what(), 1});
  }
  bool empty() const { return all_.empty(); }

  /// "line 7", or with the file where that is not the kernel's text.
  std::string line_text(std::uint32_t line) const;
  /// All of it. `code`: the kernel's text. Reads of what nobody wrote come last: where there is a race, they come of it.
  std::string describe(const std::string& kernel, const std::string& code) const;

 private:
  static constexpr std::size_t kMost = 20;

  struct Finding {
    Wrong wrong;
    std::uint32_t line;
    ThreadPlace where;
    std::string what;
    std::uint64_t count;
  };
  std::string headline(const Finding& f) const;

  const LineTable& lines_;
  std::vector<Finding> all_;
};

}  // namespace cuprum::cpu
