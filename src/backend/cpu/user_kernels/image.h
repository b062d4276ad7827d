// A shared library in memory: loaded into this process, with its symbols.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace cuprum::cpu {

class LoadedImage {
 public:
  /// Throws CompileError. It stays loaded for the life of the process: kernels may run until its end.
  explicit LoadedImage(std::string_view image);

  /// An exported symbol.
  void* find(const char* name) const;

  struct Variable {
    std::byte* address;
    std::size_t bytes;
  };
  /// Variables by their symbols; also those that are not exported.
  const std::map<std::string, Variable, std::less<>>& variables() const { return variables_; }
  /// Bytes of variables of each thread by their symbols: shared memory.
  const std::map<std::string, std::size_t, std::less<>>& thread_variables() const {
    return thread_variables_;
  }

 private:
  void read_symbols(std::string_view image);

  void* library_;
  std::map<std::string, Variable, std::less<>> variables_;
  std::map<std::string, std::size_t, std::less<>> thread_variables_;
};

}  // namespace cuprum::cpu
