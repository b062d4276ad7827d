// Freed objects of one size, kept for the next: nodes and storages live for microseconds, and malloc with free would
// cost a fifth of recording one. Not synchronised: each thread has its own.
#pragma once

#include <cstddef>
#include <new>

namespace cuprum {

class FreeList {
 public:
  void* take(std::size_t size) {
    if (!first_) return ::operator new(size);
    Block* block = first_;
    first_ = block->next;
    --count_;
    return block;
  }
  void give(void* p) {
    if (count_ >= kMost) {
      ::operator delete(p);
      return;
    }
    auto* block = static_cast<Block*>(p);
    block->next = first_;
    first_ = block;
    ++count_;
  }
  /// Gives all back to the system.
  void clear() {
    while (Block* block = first_) {
      first_ = block->next;
      ::operator delete(block);
    }
    count_ = 0;
  }

 private:
  struct Block {
    Block* next;
  };
  static constexpr int kMost = 1024;
  Block* first_ = nullptr;
  int count_ = 0;
};

}  // namespace cuprum
