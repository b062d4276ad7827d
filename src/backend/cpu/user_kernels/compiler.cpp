#include "backend/cpu/user_kernels/compiler.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <sstream>

#include "cuprum/error.h"
#include "runtime/settings.h"

namespace cuprum::cpu {

namespace {

constexpr char kLog[] = "log";

/// The environment with messages in English, which is what the log is searched for.
std::vector<char*> english_environment() {
  static char english[] = "LC_ALL=C";
  std::vector<char*> result{english};
  for (char** entry = environ; entry && *entry; ++entry) {
    if (std::strncmp(*entry, "LC_ALL=", 7) != 0) result.push_back(*entry);
  }
  result.push_back(nullptr);
  return result;
}

/// Words of a command, so that "ccache g++" can be asked for.
std::vector<std::string> words_of(const std::string& command) {
  std::istringstream text(command);
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

/// Runs a command in a folder, its output in the folder's file kLog. nullopt: it could not be run.
std::optional<bool> run_in(const std::string& folder, std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, kLog, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  std::vector<char*> environment = english_environment();
  pid_t process = 0;
  const int failed = ::posix_spawnp(&process, argv[0], &actions, nullptr, argv.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return std::nullopt;
  int status = 0;
  while (::waitpid(process, &status, 0) < 0) {
    // A program that ignores SIGCHLD hears nothing of its children: what they left must tell.
    if (errno != EINTR) return true;
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127) return std::nullopt;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::optional<std::string> version_of(const std::string& command) {
  std::vector<std::string> words = words_of(command);
  if (words.empty()) return std::nullopt;
  words.push_back("--version");
  const WorkFolder folder;
  if (!run_in(folder.path(), words).value_or(false)) return std::nullopt;
  const std::string text = folder.read(kLog);
  return text.substr(0, text.find('\n'));
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

WorkFolder::WorkFolder() {
  const char* above = std::getenv("TMPDIR");
  path_ = (above && *above ? std::string(above) : "/tmp") + "/cuprum_XXXXXX";
  if (!::mkdtemp(path_.data()))
    throw CompileError("cuprum: no folder for a compilation can be made in the temporary folder (" + path_ +
                       ": " + std::strerror(errno) + "); set TMPDIR to one that can be written to");
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void WorkFolder::write(const std::string& name, const std::string& text) const {
  const std::filesystem::path path = std::filesystem::path(path_) / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush())
    throw CompileError("cuprum: " + path.string() + " cannot be written; is the temporary folder full?");
}

std::string WorkFolder::read(const std::string& name) const {
  std::ifstream file(std::filesystem::path(path_) / name, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Outcome run_compiler(const WorkFolder& folder, const HostCompiler& compiler,
                     const std::vector<std::string>& arguments) {
  std::vector<std::string> words = words_of(compiler.command);
  words.insert(words.end(), arguments.begin(), arguments.end());
  const std::optional<bool> done = run_in(folder.path(), words);
  if (!done) return {false, compiler.command + " cannot be run any more"};
  return {*done, folder.read(kLog)};
}

}  // namespace cuprum::cpu
