// Random elements of every dtype for tests of the loops: special values, small numbers and arbitrary bits.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "core/element.h"
#include "kernels/all.h"

namespace cuprum::testing_support {

namespace k = kernels;

using k::Element;

using Bytes = std::vector<unsigned char>;

class Samples {
 public:
  explicit Samples(std::uint64_t seed) : random_(seed) {}

  /// n elements of dtype t.
  Bytes of(dtype t, std::size_t n) {
    Bytes bytes(n * itemsize(t));
    const dtype part = real_type(t);
    const std::size_t parts = bytes.size() / itemsize(part);
    for (std::size_t i = 0; i < parts; ++i) {
      const double small = sample_small();
      unsigned char* to = bytes.data() + i * itemsize(part);
      switch (part) {
        case dtype::bool_: *to = random_() % 2; break;
        case dtype::float16: put(to, floating<k::float16>(k::narrow<k::float16>(small))); break;
        case dtype::bfloat16: put(to, floating<k::bfloat16>(k::narrow<k::bfloat16>(small))); break;
        case dtype::float32: put(to, floating<float>(static_cast<float>(small))); break;
        case dtype::float64: put(to, floating<double>(small)); break;
        default: put_integer(to, itemsize(part), static_cast<std::int64_t>(small)); break;
      }
    }
    return bytes;
  }

 private:
  double sample_small() { return std::normal_distribution<double>(0, random_() % 2 ? 3 : 40)(random_); }

  template <class T>
  static void put(unsigned char* to, T value) {
    std::memcpy(to, &value, sizeof(T));
  }

  /// Half of them small numbers, a quarter special values, the rest arbitrary bits.
  template <class T>
  T floating(T small) {
    using format = k::float_format<T>;
    using U = k::bits_of<T>;
    const std::uint64_t pick = random_();
    if (pick % 4 < 2) return small;
    const U sign = pick & 64 ? format::sign : U(0);
    const U one = static_cast<U>(U(format::bias) << format::mantissa);
    const U special[] = {0,
                         one,
                         static_cast<U>(one + (U(1) << (format::mantissa - 1))),  // 1.5
                         static_cast<U>(one - (U(1) << format::mantissa)),        // 0.5
                         static_cast<U>(one + (U(1) << format::mantissa)),        // 2
                         1,
                         static_cast<U>(U(1) << format::mantissa),
                         static_cast<U>(format::infinity - 1),
                         format::infinity,
                         format::nan};
    const U bits =
        pick % 4 == 2 ? static_cast<U>(special[(pick >> 8) % 10] | sign) : static_cast<U>(random_());
    return k::bit_cast<T>(bits);
  }

  void put_integer(unsigned char* to, std::size_t size, std::int64_t small) {
    const std::uint64_t pick = random_();
    std::uint64_t value = static_cast<std::uint64_t>(small);
    if (pick % 4 == 2) value = (std::uint64_t(1) << (8 * size - 1)) - (pick >> 8) % 3;  // around the limits
    if (pick % 4 == 3) value = random_();
    std::memcpy(to, &value, size);
  }

  std::mt19937_64 random_;
};

/// Equal bits, or both NaN: which NaN comes out of two is the machine's choice.
inline bool same_element(dtype t, const void* a, const void* b) {
  const auto same_part = [](const auto x, const auto y) {
    return k::to_bits(x) == k::to_bits(y) || (k::isnan(x) && k::isnan(y));
  };
  const auto compare = [&]<class T>(T) {
    T x, y;
    std::memcpy(&x, a, sizeof(T));
    std::memcpy(&y, b, sizeof(T));
    if constexpr (k::complex_number<T>) {
      return same_part(x.re, y.re) && same_part(x.im, y.im);
    } else {
      return same_part(x, y);
    }
  };
  switch (t) {
    case dtype::float16: return compare(k::float16());
    case dtype::bfloat16: return compare(k::bfloat16());
    case dtype::float32: return compare(float());
    case dtype::float64: return compare(double());
    case dtype::complex64: return compare(k::complex64());
    case dtype::complex128: return compare(k::complex128());
    default: return std::memcmp(a, b, itemsize(t)) == 0;
  }
}

}  // namespace cuprum::testing_support
