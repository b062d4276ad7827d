#include "runtime/work_folder.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "cuprum/error.h"

namespace cuprum {

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

}  // namespace

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

WorkFolder::Outcome WorkFolder::run(const std::vector<std::string>& words) const {
  const std::optional<bool> done = run_in(path_, words);
  if (!done) return {false, words.front() + " cannot be run"};
  return {*done, read(kLog)};
}

}  // namespace cuprum
