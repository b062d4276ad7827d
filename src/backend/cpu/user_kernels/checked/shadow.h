// What is remembered of a piece of memory: by whom its cells were last touched, and which of its bytes were written.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "backend/cpu/user_kernels/checked/order.h"
#include "cuprum/error.h"

namespace cuprum::cpu {

/// Zeros, which become memory where they are touched.
template <class T>
class LazyArray {
 public:
  explicit LazyArray(std::size_t count) : bytes_(count * sizeof(T)) {
    if (bytes_ == 0) return;
    void* memory =
        ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      throw OutOfMemoryError("cuprum: no addresses for what the checked mode remembers of memory");
    data_ = static_cast<T*>(memory);
  }
  LazyArray(LazyArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  LazyArray& operator=(LazyArray&&) = delete;
  ~LazyArray() {
    if (data_) ::munmap(data_, bytes_);
  }
  T& operator[](std::size_t i) { return data_[i]; }
  T* data() { return data_; }

 private:
  T* data_ = nullptr;
  std::size_t bytes_;
};

/// An access that races with one before it.
struct Race {
  Access other;  // thread 0: there is none
  bool other_writes = false;
  explicit operator bool() const { return other.thread != 0; }
};

class Shadow {
 public:
  /// `cell`: the bytes that are remembered together, 1, 2 or 4.
  Shadow(std::size_t bytes, std::size_t cell)
      : cell_(cell), cells_((bytes + cell - 1) / cell), written_(bytes) {}

  /// Remembers an access to bytes [at, at + bytes) and tells a race, if it is one. `rank` is the thread's in the block.
  Race touch(std::size_t at, std::size_t bytes, bool writes, Access access, const BlockOrder& order,
             unsigned rank);

  /// Is there a whole word among the bytes that nobody wrote? Words are of 4 bytes up to 8, else of 8: what a struct leaves between its
  /// members is in no such word.
  bool has_unwritten_word(std::size_t at, std::size_t bytes);
  void set_written(std::size_t at, std::size_t bytes);
  /// Of these bytes nothing is known any more.
  void forget(std::size_t at, std::size_t bytes);
  const std::uint8_t* written() { return written_.data(); }

 private:
  struct Cell {
    Access write;
    Access read, read_before,
        read_elsewhere;  // the last of all, of another thread of the same block, of another block
  };
  static Race check(const Cell& cell, bool writes, const Access& access, const BlockOrder& order,
                    unsigned rank);

  const std::size_t cell_;
  LazyArray<Cell> cells_;
  LazyArray<std::uint8_t> written_;
};

}  // namespace cuprum::cpu
