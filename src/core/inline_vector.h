// A vector of known capacity that keeps up to N elements inline: for lists of views, which are two or three almost always and
// live as long as a call.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace cuprum {

template <class T, std::size_t N>
class InlineVector {
 public:
  explicit InlineVector(std::size_t capacity)
      : data_(capacity <= N ? reinterpret_cast<T*>(inline_) : std::allocator<T>().allocate(capacity)),
        capacity_(capacity) {}
  ~InlineVector() {
    clear();
    if (capacity_ > N) std::allocator<T>().deallocate(data_, capacity_);
  }
  InlineVector(const InlineVector&) = delete;
  InlineVector& operator=(const InlineVector&) = delete;

  /// No more than the capacity.
  template <class... Args>
  T& emplace_back(Args&&... args) {
    return *new (data_ + size_++) T{std::forward<Args>(args)...};
  }
  void clear() {
    while (size_ != 0) data_[--size_].~T();
  }

  std::size_t size() const { return size_; }
  T* data() { return data_; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* data() const { return data_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

 private:
  T* const data_;
  const std::size_t capacity_;
  std::size_t size_ = 0;
  alignas(T) std::byte inline_[N * sizeof(T)];
};

}  // namespace cuprum
