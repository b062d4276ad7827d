// Elements moved as bits, by their size alone.
#pragma once

#include <cstddef>
#include <type_traits>

namespace cuprum {

/// Calls f with the size of an element as a constant, so that copying one is a load and a store; with any other size as it is.
template <class F>
void with_size(std::size_t size, const F& f) {
  switch (size) {
    case 1: return f(std::integral_constant<std::size_t, 1>());
    case 2: return f(std::integral_constant<std::size_t, 2>());
    case 4: return f(std::integral_constant<std::size_t, 4>());
    case 8: return f(std::integral_constant<std::size_t, 8>());
    case 16: return f(std::integral_constant<std::size_t, 16>());
    default: return f(size);
  }
}

}  // namespace cuprum
