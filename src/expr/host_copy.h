// What the host still knows of arrays that were made from its data.
//
// An index that came from the host is checked by the call, and a 0-d one is read, without waiting for the device: a storage
// of few integers keeps the bytes that it was filled with. Whatever may write the storage forgets them first (forget), so
// that they are true as long as they are there. Views see their part of them. The number of a pending full() is known too.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "expr/array.h"

namespace cuprum {

/// Bytes up to which an array of integers keeps its copy, if it is not itself an index of the running call: a device's
/// first transfer of this size takes longer than the copy by a factor of ten.
inline constexpr std::size_t kHostCopyBytes = 4096;
/// For arrays that are made for one call, and used as its indices.
inline constexpr std::size_t kAnyBytes = std::numeric_limits<std::size_t>::max();

/// Fills `a`, a new array over the whole of its storage, with dense host memory of its layout. Integers of at most `keep` bytes
/// are also kept, where the device checks indices late.
void upload(const Array& a, const void* data, std::size_t keep = kHostCopyBytes);

/// The same for few bytes that a storage takes along from the host's side of its device.
void keep_host_copy(Storage& storage, const std::byte* bytes);

/// The elements of an integer array in C order, as int64; empty where the host does not know them, or has them only as a view
/// that is broadcast to a larger size.
std::vector<std::int64_t> known_integers(const Array& a);
/// The same for who looks at each: along broadcast dimensions the elements are told once.
std::vector<std::int64_t> known_values(const Array& a);

/// Before a write, and before an address goes out: under the graph's lock.
inline void forget_host_copy(Storage& storage) { storage.host_copy.reset(); }

}  // namespace cuprum
