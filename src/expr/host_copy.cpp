#include "expr/host_copy.h"

#include <algorithm>
#include <cstring>

#include "core/cast.h"
#include "core/element.h"
#include "expr/node.h"
#include "runtime/hand_over.h"
#include "runtime/lock.h"

namespace cuprum {

namespace {

bool worth_keeping(const Array& a, std::size_t keep) {
  return is_integer(a.type()) && a.nbytes() <= keep && !a.backend().host_accessible();
}

/// Calls f with the byte offset of every element from the first, in C order.
template <class F>
void each_offset(const Array& a, F&& f) {
  Dims at(a.shape().size(), 0);
  std::int64_t offset = 0;
  for (std::int64_t left = a.size(); left > 0; --left) {
    f(offset);
    for (int d = a.ndim() - 1; d >= 0; --d) {
      offset += a.strides()[d];
      if (++at[d] < a.shape()[d]) break;
      offset -= a.shape()[d] * a.strides()[d];
      at[d] = 0;
    }
  }
}

std::vector<std::int64_t> read_integers(const Array& a, const std::byte* first) {
  std::vector<std::int64_t> values;
  values.reserve(static_cast<std::size_t>(a.size()));
  kernels::with_element(a.type(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>) {
      each_offset(a, [&](std::int64_t offset) {
        T value;
        std::memcpy(&value, first + offset, sizeof value);
        values.push_back(static_cast<std::int64_t>(value));
      });
    }
  });
  return values;
}

/// A number that fills an array is known as long as it is pending.
std::vector<std::int64_t> filled_integers(const Array& a, const Node& node) {
  const bool fills = node.op == Op::copy && node.is_elementwise() && node.in[0].is_scalar();
  if (!fills || node.type != a.type() || a.nbytes() > kHostCopyBytes) return {};
  const auto value = cast_scalar(node.in[0].scalar, dtype::int64).as<std::int64_t>();
  return std::vector<std::int64_t>(static_cast<std::size_t>(a.size()), value);
}

}  // namespace

void upload(const Array& a, const void* data, std::size_t keep) {
  if (a.nbytes() == 0) return;
  EngineLock lock;
  Storage& storage = *a.storage();
  const View to{{storage.buffer.get(), 0}, a.type(), a.shape(), a.strides(), storage.buffer};
  Stream& stream = uncaptured_stream(a.backend());
  const Touched touched{{}, {&to, 1}};
  {
    const HandOver<Touched> hand_over(stream, touched);
    const tracing::CopySpan copy(tracing::Kind::upload, stream, data, a.nbytes());
    BlockingSection others_run;
    stream.device.copy_from_host(stream, to.data, data, a.nbytes());
  }
  if (!worth_keeping(a, keep)) return;
  storage.host_copy = std::make_unique_for_overwrite<std::byte[]>(a.nbytes());
  std::memcpy(storage.host_copy.get(), data, a.nbytes());
}

void keep_host_copy(Storage& storage, const std::byte* bytes) {
  if (storage.nbytes > kHostCopyBytes || storage.nbytes == 0) return;
  storage.host_copy = std::make_unique_for_overwrite<std::byte[]>(storage.nbytes);
  std::memcpy(storage.host_copy.get(), bytes, storage.nbytes);
}

std::vector<std::int64_t> known_integers(const Array& a) {
  if (!is_integer(a.type())) return {};
  EngineLock lock;
  const Storage& storage = *a.storage();
  if (storage.host_copy) {
    // A broadcast view may be as large as it likes.
    if (a.nbytes() > std::max(storage.buffer->nbytes, kHostCopyBytes)) return {};
    return read_integers(a, storage.host_copy.get() + a.offset());
  }
  if (storage.pending) return filled_integers(a, *storage.pending);
  if (storage.backend->accelerator && a.nbytes() <= kHostCopyBytes)  // the host has it anyway
    return read_integers(a, storage.buffer->data + a.offset());
  return {};
}

std::vector<std::int64_t> known_values(const Array& a) {
  if (a.size() == 0) return {};
  return known_integers(a.without_repeats());
}

}  // namespace cuprum
