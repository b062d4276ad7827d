// Roots of unity, each rounded once: the accuracy of a transform is that of its twiddles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace cuprum::cpu::fft {

/// exp(-2 pi i k / n) in long double. Turned into the first eighth of the circle by integer arithmetic, so that what is symmetric is
/// so exactly; there it is the product of two entries of tables with some sqrt(n) of them, which costs a tenth of a sine.
class Roots {
 public:
  explicit Roots(std::int64_t n);
  std::pair<long double, long double> operator()(std::int64_t k) const;  // 0 <= k < n

 private:
  using Point = std::pair<long double, long double>;  // cos, sin
  Point eighth(std::int64_t x) const;                 // of 2 pi x / (8 n), x <= n

  std::int64_t n_;
  int shift_;
  std::vector<Point> coarse_, fine_;
};

/// Numbers of one precision, aligned for vectors.
class Table {
 public:
  Table() = default;
  Table(bool wide, std::int64_t count)
      : wide_(wide),
        count_(count),
        data_(static_cast<std::byte*>(::operator new (bytes() + 64, std::align_val_t{64}))) {}
  void* data() const { return data_.get(); }
  std::size_t bytes() const { return static_cast<std::size_t>(count_) * (wide_ ? 8 : 4); }
  explicit operator bool() const { return data_ != nullptr; }

  void set(std::int64_t i, long double value) {
    if (wide_)
      static_cast<double*>(data())[i] = static_cast<double>(value);
    else
      static_cast<float*>(data())[i] = static_cast<float>(value);
  }
  /// A complex number at place i of pairs.
  void set_pair(std::int64_t i, const std::pair<long double, long double>& value) {
    set(2 * i, value.first);
    set(2 * i + 1, value.second);
  }

 private:
  struct Free {
    void operator()(std::byte* p) const { ::operator delete (p, std::align_val_t{64}); }
  };
  bool wide_ = false;
  std::int64_t count_ = 0;
  std::unique_ptr<std::byte, Free> data_;
};

}  // namespace cuprum::cpu::fft
