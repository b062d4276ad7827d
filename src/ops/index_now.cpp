#include "ops/index_now.h"

#include <cstring>
#include <type_traits>

#include "core/element.h"
#include "core/sized.h"
#include "expr/engine.h"
#include "expr/now.h"
#include "ops/support.h"
#include "runtime/lock.h"
#include "runtime/recording_lock.h"

namespace cuprum::ops {

namespace {

/// The shape of what is named, where it is few elements that an index array's shape and the dimensions behind tell.
std::optional<Dims> shape_of_few(const Array& a, Index index) {
  if (index.size() > a.shape().size() || !may_be_had_now(a)) return std::nullopt;
  if (index.size() != a.shape().size() && !a.c_contiguous()) return std::nullopt;
  for (const IndexItem& item : index) {
    if (item.kind != IndexItem::Kind::array || !is_integer(item.array->type())) return std::nullopt;
    const Array& i = *item.array;
    if (i.ndim() == 0 || !(i.shape() == index[0].array->shape())) return std::nullopt;
    if (!may_be_had_now(i) || &i.backend() != &a.backend()) return std::nullopt;
    if (i.ndim() > 1 && !i.c_contiguous()) return std::nullopt;
  }
  Dims shape = index[0].array->shape();
  for (std::size_t d = index.size(); d < a.shape().size(); ++d) shape.push_back(a.shape()[d]);
  const std::size_t nbytes = bytes_of(shape, a.type());
  if (shape.size() > kMaxDims || nbytes == 0 || !is_few(nbytes)) return std::nullopt;
  return shape;
}

/// Bytes from the first element of an array, of every row that index arrays name.
using Places = SmallVector<std::int64_t, 64>;

/// False: not all are there, or one is out of bounds. In a section, or with the graph's lock.
bool find_places(const Array& a, Index index, Places& places) {
  places = Places(static_cast<std::size_t>(index[0].array->size()), 0);
  for (std::size_t k = 0; k < index.size(); ++k) {
    const Array& i = *index[k].array;
    const std::byte* const from = address_now(i);
    if (!from) return false;
    const std::int64_t step = i.ndim() == 1 ? i.strides()[0] : static_cast<std::int64_t>(i.itemsize());
    const std::int64_t extent = a.shape()[k], stride = a.strides()[k];
    bool inside = true;
    kernels::with_element(i.type(), [&](auto zero) {
      using T = decltype(zero);
      if constexpr (std::is_integral_v<T>) {
        for (std::size_t j = 0; j < places.size(); ++j) {
          T number;
          std::memcpy(&number, from + static_cast<std::int64_t>(j) * step, sizeof number);
          auto at = static_cast<std::int64_t>(number);
          at += at < 0 ? extent : 0;
          inside &= at >= 0 && at < extent;
          places[j] += at * stride;
        }
      }
    });
    if (!inside) return false;
  }
  return true;
}

}  // namespace

std::optional<Array> gathered_now(const Array& a, Index index) {
  const std::optional<Dims> shape = shape_of_few(a, index);
  if (!shape) return std::nullopt;
  Array result = make_array(a.backend(), a.type(), *shape);
  std::byte* const to = result.storage()->buffer->data;
  Places places;
  const RecordingLock lock;
  const std::byte* const from = address_now(a);
  if (!from || !find_places(a, index, places)) return std::nullopt;
  with_size(result.nbytes() / places.size(), [&](auto size) {
    for (std::size_t j = 0; j < places.size(); ++j) std::memcpy(to + j * size, from + places[j], size);
  });
  return result;
}

bool scattered_now(const Array& a, Index index, const Value& value) {
  const std::optional<Dims> shape = value.is_array() ? std::nullopt : shape_of_few(a, index);
  if (!shape) return false;
  for (const IndexItem& item : index) {
    if (item.array->storage() == a.storage()) return false;
  }
  const Scalar number = value.to_scalar(a.type());
  Places places;
  const EngineLock lock;
  if (!address_now(a) || !find_places(a, index, places)) return false;
  const View written = writable(a);  // what reads it is evaluated
  std::byte* const to = written.data.address();
  const std::size_t count = bytes_of(*shape, a.type()) / a.itemsize() / places.size();
  with_size(a.itemsize(), [&](auto size) {
    for (std::int64_t place : places) {
      for (std::size_t j = 0; j < count; ++j) std::memcpy(to + place + j * size, number.bytes, size);
    }
  });
  return true;
}

std::optional<Array> selected_now(const Array& a, const Array& mask) {
  if (!is_few(a.nbytes()) || !a.c_contiguous() || !mask.c_contiguous()) return std::nullopt;
  if (!may_be_had_now(a) || !may_be_had_now(mask) || &a.backend() != &mask.backend()) return std::nullopt;
  const auto n = static_cast<std::size_t>(a.size());
  const EngineLock lock;
  const std::byte *from = address_now(a), *where = address_now(mask);
  if (!from || !where) return std::nullopt;
  std::size_t count = 0, done = 0;
  for (std::size_t i = 0; i < n; ++i) count += where[i] != std::byte{0};
  Array result = make_array(a.backend(), a.type(), Dims{static_cast<std::int64_t>(count)});
  std::byte* const to = result.storage()->buffer->data;
  with_size(a.itemsize(), [&](auto size) {
    for (std::size_t i = 0; done < count; ++i) {
      std::memcpy(to + done * size, from + i * size, size);
      done += where[i] != std::byte{0};
    }
  });
  return result;
}

}  // namespace cuprum::ops
