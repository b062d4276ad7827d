#include "backend/cpu/user_kernels/checked/findings.h"

#include <algorithm>
#include <array>

#include "backend/cpu/user_kernels/compile.h"
#include "runtime/kernel_text/compile_log.h"

namespace cuprum::cpu {

namespace {

std::string to_text(const cuprum_language::Dim& d) {
  return "(" + std::to_string(d.x) + ", " + std::to_string(d.y) + ", " + std::to_string(d.z) + ")";
}

}  // namespace

std::string to_text(const ThreadPlace& place) {
  return "block " + to_text(place.block) + ", thread " + to_text(place.thread);
}

bool operator<(const ThreadPlace& a, const ThreadPlace& b) {
  const auto key = [](const ThreadPlace& p) {
    return std::array{p.block.z, p.block.y, p.block.x, p.thread.z, p.thread.y, p.thread.x};
  };
  return key(a) < key(b);
}

std::string Findings::line_text(std::uint32_t line) const {
  const SourceLine& at = lines_[line];
  if (at.line == 0) return "a line that is not known";
  return (at.file == kKernelFile ? "" : at.file + ", ") + "line " + std::to_string(at.line);
}

std::string Findings::headline(const Finding& f) const {
  const std::string more = f.count > 1 ? " (" + std::to_string(f.count) + " times)" : "";
  return line_text(f.line) + ", " + to_text(f.where) + ": " + f.what + more;
}

std::string Findings::describe(const std::string& kernel, const std::string& code) const {
  std::vector<Finding> told = all_;
  std::stable_partition(told.begin(), told.end(),
                        [](const Finding& f) { return f.wrong != Wrong::unwritten; });
  const Finding& first = told.front();
  std::string text = "cuprum: kernel " + kernel + ", " + headline(first);
  if (lines_[first.line].file == kKernelFile) text += '\n' + marked_line(code, lines_[first.line].line);
  if (told.size() > 1) text += "\nfound too:";
  for (std::size_t i = 1; i < told.size(); ++i) text += "\n  " + headline(told[i]);
  return text;
}

}  // namespace cuprum::cpu
