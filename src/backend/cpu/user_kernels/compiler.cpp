#include "backend/cpu/user_kernels/compiler.h"

#include <cstdlib>
#include <fstream>
#include <mutex>
#include <optional>
#include <sstream>

#include "cuprum/error.h"
#include "runtime/settings.h"

namespace cuprum::cpu {

namespace {

/// Words of a command, so that "ccache g++" can be asked for.
std::vector<std::string> words_of(const std::string& command) {
  std::istringstream text(command);
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

std::optional<std::string> version_of(const std::string& command) {
  std::vector<std::string> words = words_of(command);
  if (words.empty()) return std::nullopt;
  words.push_back("--version");
  const WorkFolder::Outcome told = WorkFolder().run(words);
  if (!told.done) return std::nullopt;
  return told.log.substr(0, told.log.find('\n'));
}

HostCompiler find_compiler() {
  if (const std::string& asked = settings().cxx; !asked.empty()) {
    if (const std::optional<std::string> version = version_of(asked)) return {asked, *version};
    throw CompileError("cuprum: the environment variable CUPRUM_CXX is '" + asked +
                       "', which cannot be run; write the path of a C++ compiler");
  }
  std::vector<std::string> candidates;
  if (const char* cxx = std::getenv("CXX"); cxx && *cxx) candidates.emplace_back(cxx);
  candidates.insert(candidates.end(), {"c++", "g++", "clang++"});
  for (const std::string& candidate : candidates) {
    if (const std::optional<std::string> version = version_of(candidate)) return {candidate, *version};
  }
  throw CompileError(
      "cuprum: kernels in CUDA C++ run on the CPU through a C++ compiler, and there is none (c++, g++, "
      "clang++); "
      "install one (apt-get install g++) or set CUPRUM_CXX to its path");
}

}  // namespace

const HostCompiler& host_compiler() {
  static std::mutex mutex;
  static const HostCompiler* found = nullptr;  // one that is installed later is found later
  const std::lock_guard lock(mutex);
  if (!found) found = new HostCompiler(find_compiler());
  return *found;
}

const std::string& processor() {
  static const auto* const text = [] {
    auto* result = new std::string;
    std::ifstream about("/proc/cpuinfo");
    for (std::string line; std::getline(about, line) && !line.empty();) {
      for (const char* field : {"model name", "flags", "Features", "CPU part"}) {
        if (line.starts_with(field)) *result += line + '\n';
      }
    }
    return result;
  }();
  return *text;
}

WorkFolder::Outcome run_compiler(const WorkFolder& folder, const HostCompiler& compiler,
                                 const std::vector<std::string>& arguments) {
  std::vector<std::string> words = words_of(compiler.command);
  words.insert(words.end(), arguments.begin(), arguments.end());
  return folder.run(words);
}

}  // namespace cuprum::cpu
