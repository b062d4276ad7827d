// Division by a number that is known when a kernel is launched, without a division instruction on the device.
//
// With s = ceil(log2 d) and magic = floor(2^w (2^s - d) / d) + 1, the quotient of every n < 2^(w-1) is
// (mulhi(n, magic) + n) >> s, where w is 32 or 64 (Granlund and Montgomery 1994). The sum does not overflow: mulhi(n, magic) <= n.
#pragma once

#include <bit>
#include <cstdint>

#include "device/space.cuh"

namespace cuprum::cuda {

template <class Index>
device::Divisor<Index> make_divisor(std::int64_t d) {
  device::Divisor<Index> result{};
  using U = decltype(result.divisor);
  const auto u = static_cast<std::uint64_t>(d < 1 ? 1 : d);
  const auto shift = static_cast<std::uint32_t>(std::bit_width(u - 1));
  const unsigned __int128 power = static_cast<unsigned __int128>(1) << (8 * sizeof(U));
  result.divisor = static_cast<U>(u);
  result.magic = static_cast<U>(power * ((static_cast<unsigned __int128>(1) << shift) - u) / u + 1);
  result.shift = shift;
  return result;
}

/// What the device computes.
inline std::int64_t quotient(std::int64_t n, const device::Divisor<int>& by) {
  const auto u = static_cast<std::uint32_t>(n);
  const auto high = static_cast<std::uint32_t>(static_cast<std::uint64_t>(u) * by.magic >> 32);
  return (high + u) >> by.shift;
}
inline std::int64_t quotient(std::int64_t n, const device::Divisor<device::int64>& by) {
  const auto u = static_cast<std::uint64_t>(n);
  const auto high = static_cast<std::uint64_t>(static_cast<unsigned __int128>(u) * by.magic >> 64);
  return static_cast<std::int64_t>((high + u) >> by.shift);
}

}  // namespace cuprum::cuda
