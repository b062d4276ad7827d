// A vector of trivially copyable values that keeps the first N inline: shapes and strides are
// almost always short, and a heap allocation would cost as much as recording an operation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace cuprum {

template <class T, std::uint32_t N>
class SmallVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  using value_type = T;

  SmallVector() = default;
  SmallVector(std::initializer_list<T> v) : SmallVector(v.begin(), v.end()) {}
  explicit SmallVector(std::size_t n, T value = T()) { resize(n, value); }
  template <class It>
  requires(!std::is_integral_v<It>) SmallVector(It first, It last) {
    for (; first != last; ++first) push_back(*first);
  }
  SmallVector(const SmallVector& o) { assign(o.data_, o.size_); }
  SmallVector(SmallVector&& o) noexcept { steal(o); }
  SmallVector& operator=(const SmallVector& o) {
    if (this != &o) {
      size_ = 0;
      assign(o.data_, o.size_);
    }
    return *this;
  }
  SmallVector& operator=(SmallVector&& o) noexcept {
    if (this != &o) {
      release();
      steal(o);
    }
    return *this;
  }
  ~SmallVector() { release(); }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T& back() { return data_[size_ - 1]; }
  const T& back() const { return data_[size_ - 1]; }

  void clear() { size_ = 0; }
  void pop_back() { --size_; }
  void push_back(T v) {
    if (size_ == capacity_) grow(capacity_ * 2);
    data_[size_++] = v;
  }
  void resize(std::size_t n, T value = T()) {
    if (n > capacity_) grow(static_cast<std::uint32_t>(n));
    for (std::size_t i = size_; i < n; ++i) data_[i] = value;
    size_ = static_cast<std::uint32_t>(n);
  }
  void insert(std::size_t at, T v) {
    push_back(v);
    for (std::size_t i = size_ - 1; i > at; --i) data_[i] = data_[i - 1];
    data_[at] = v;
  }
  void erase(std::size_t at) {
    for (std::size_t i = at + 1; i < size_; ++i) data_[i - 1] = data_[i];
    --size_;
  }

  bool operator==(const SmallVector& o) const {
    if (size_ != o.size_) return false;
    for (std::uint32_t i = 0; i < size_; ++i) {
      if (!(data_[i] == o.data_[i])) return false;
    }
    return true;
  }

 private:
  // Every vector has room for N elements: few enough are copied all, used or not, without a call. Word by word, which volatile keeps
  // the compiler from joining: shapes are copied right after they were made, and a load waits 4 ns for stores that are narrower.
  typedef std::uint64_t __attribute__((may_alias, aligned(1))) Word;
  static constexpr bool kCopiedWhole = N * sizeof(T) <= 64 && N * sizeof(T) % sizeof(Word) == 0;
  static void copy_whole(T* to, const T* from) {
    auto* words = reinterpret_cast<volatile Word*>(to);
    const auto* others = reinterpret_cast<const volatile Word*>(from);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < N * sizeof(T) / sizeof(Word); ++i) words[i] = others[i];
  }

  void assign(const T* from, std::uint32_t n) {
    if (kCopiedWhole && n <= N) {
      copy_whole(data_, from);
    } else {
      if (n > capacity_) grow(n);
      if (n != 0) std::memcpy(static_cast<void*>(data_), from, n * sizeof(T));
    }
    size_ = n;
  }
  void grow(std::uint32_t capacity) {
    T* fresh = static_cast<T*>(::operator new(capacity * sizeof(T)));
    if (size_ != 0) std::memcpy(static_cast<void*>(fresh), data_, size_ * sizeof(T));
    if (data_ != inline_) ::operator delete(data_);
    data_ = fresh;
    capacity_ = capacity;
  }
  void release() {
    if (data_ != inline_) ::operator delete(data_);
  }
  void steal(SmallVector& o) {
    if (o.data_ == o.inline_) {
      data_ = inline_;
      capacity_ = N;
      if (kCopiedWhole)
        copy_whole(inline_, o.inline_);
      else
        std::memcpy(static_cast<void*>(inline_), o.inline_, o.size_ * sizeof(T));
    } else {
      data_ = std::exchange(o.data_, o.inline_);
      capacity_ = std::exchange(o.capacity_, N);
    }
    size_ = std::exchange(o.size_, 0);
  }

  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = N;
  T* data_ = inline_;
  T inline_[N];
};

}  // namespace cuprum
