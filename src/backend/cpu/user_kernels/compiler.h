// The system's C++ compiler, which is looked for when a program brings its first kernel.
#pragma once

#include <string>
#include <vector>

namespace cuprum::cpu {

struct HostCompiler {
  std::string command;  // what is run
  std::string version;  // the first line of what it says of itself
};

/// CUPRUM_CXX, else CXX, else the first of c++, g++ and clang++ that there is. Throws CompileError, with the remedy.
const HostCompiler& host_compiler();

/// The processor, as far as code that is compiled for it depends on it.
const std::string& processor();

/// A folder for the files of one compilation, for this user alone; removed at the end.
class WorkFolder {
 public:
  WorkFolder();
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  const std::string& path() const { return path_; }
  void write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;

 private:
  std::string path_;
};

struct Outcome {
  bool done = false;
  std::string log;
};

/// Runs the compiler in the folder, and waits for it.
Outcome run_compiler(const WorkFolder& folder, const HostCompiler& compiler,
                     const std::vector<std::string>& arguments);

}  // namespace cuprum::cpu
