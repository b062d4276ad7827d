#include "runtime/kernel_text/compile_log.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <vector>

namespace cuprum {

namespace {

constexpr int kShown = 5;   // errors; the log has them all
constexpr int kAround = 2;  // lines before and behind a wrong one

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The line of `file` that a line of the log calls an error, and the message; 0: it calls none.
int wrong_line(const std::string& entry, const std::string& file, std::string& message) {
  // gcc and clang write kernel.cu:3:5: error: ..., NVRTC and nvcc kernel.cu(3): error: ...
  if (!entry.starts_with(file + ":") && !entry.starts_with(file + "(")) return 0;
  const int line = std::atoi(entry.c_str() + file.size() + 1);
  const std::size_t at = entry.find("error: ");
  if (at == std::string::npos) return 0;
  message = entry.substr(at);
  return line;
}

std::string marked(const std::vector<std::string>& code, int wrong, const std::string& message) {
  std::ostringstream text;
  const int last = static_cast<int>(code.size());
  for (int n = wrong - kAround; n <= wrong + kAround; ++n) {
    if (n < 1 || n > last) continue;
    text << (n == wrong ? "> " : "  ");
    text.width(4);
    text << n << " | " << code[static_cast<std::size_t>(n - 1)] << '\n';
    if (n == wrong && !message.empty()) text << "       ^ " << message << '\n';
  }
  return text.str();
}

}  // namespace

std::string marked_line(const std::string& code, int line) {
  std::string text = marked(lines_of(code), line, "");
  if (!text.empty()) text.pop_back();  // the end of its last line
  return text;
}

std::string describe_failure(const std::string& log, const std::string& code, const std::string& compiler) {
  const std::vector<std::string> lines = lines_of(code);
  std::string text = "cuprum: the kernel's text does not compile\n";
  int shown = 0, before = 0;
  for (const std::string& entry : lines_of(log)) {
    std::string message;
    const int line = wrong_line(entry, kKernelFile, message);
    if (line == 0 || line == before || shown == kShown) continue;
    text += marked(lines, line, message);
    before = line;
    ++shown;
  }
  return text + "The log of " + compiler + ":\n" + log;
}

bool names_error_in(const std::string& log, const std::string& file) {
  const std::vector<std::string> entries = lines_of(log);
  return std::any_of(entries.begin(), entries.end(), [&](const std::string& entry) {
    std::string message;
    return wrong_line(entry, file, message) != 0;
  });
}

}  // namespace cuprum
