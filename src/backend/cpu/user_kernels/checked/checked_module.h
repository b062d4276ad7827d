// What the checked mode knows of a module: its text, the lines of its instructions, where its variables lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "backend/cpu/user_kernels/checked/line_table.h"
#include "backend/cpu/user_kernels/image.h"

namespace cuprum::cpu {

/// A variable of each OS thread: a __shared__ one, or one of the language's own (threadIdx).
struct ThreadVariable {
  std::string name;
  std::size_t at, bytes;  // in the thread's memory of the module
  bool language, dynamic;
};

class CheckedModule {
 public:
  /// From here on the module tells BlockChecker of its accesses.
  CheckedModule(const LoadedImage& loaded, std::string_view image, std::string code);

  const std::string code;
  const LineTable lines;

  /// The line of the instruction before a return address; 0: a header's.
  std::uint32_t line_before(const void* place) const {
    return lines.at(static_cast<std::uint64_t>(static_cast<const std::byte*>(place) - base_) - 1);
  }
  /// Is it a variable of the module, or a constant?
  bool contains(const std::byte* address) const { return address >= data_ && address < data_end_; }
  const std::byte* data() const { return data_; }
  std::size_t data_bytes() const { return static_cast<std::size_t>(data_end_ - data_); }

  /// This OS thread's variables: their memory and what is in it, by position.
  std::byte* thread_memory() const { return loaded_.thread_memory(); }
  std::size_t thread_bytes() const { return thread_bytes_; }
  const std::vector<ThreadVariable>& thread_variables() const { return variables_; }
  /// The last one that begins at a position of that memory or before it; null: there is none.
  const ThreadVariable* variable_before(std::size_t at) const;
  /// The last shared one that does, else the first.
  const ThreadVariable* shared_near(std::size_t at) const;

 private:
  const LoadedImage& loaded_;
  const std::byte *base_, *data_ = nullptr, *data_end_ = nullptr;
  std::size_t thread_bytes_ = 0;
  std::vector<ThreadVariable> variables_;
};

}  // namespace cuprum::cpu
