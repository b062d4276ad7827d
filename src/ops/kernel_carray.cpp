#include "ops/kernel_carray.h"

#include <algorithm>
#include <cstring>

namespace cuprum::ops {

namespace {

// Elements that are worth a core, and more ranges than help any machine to share the work.
constexpr std::int64_t kRange = 1024, kMostRanges = 256;

void append(std::vector<std::byte>& bytes, std::span<const std::int64_t> numbers) {
  const auto* data = reinterpret_cast<const std::byte*>(numbers.data());
  bytes.insert(bytes.end(), data, data + numbers.size_bytes());
}

/// A member array has one element at least.
void append_dims(std::vector<std::byte>& bytes, const Dims& dims) {
  const std::int64_t none = 0;
  append(bytes, dims.empty() ? std::span(&none, 1) : std::span(dims.data(), dims.size()));
}

std::string carray_type(dtype type, int layout) {
  return std::string("CArray<") + c_type(type) + ", " + std::to_string(layout / 2) +
         (layout % 2 ? ", true>" : ", false>");
}

}  // namespace

void collapse_dimensions(Dims& shape, std::span<Array* const> arrays) {
  Dims kept;  // the last axis of each run that is merged
  Dims extents;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 1) continue;
    const bool merges = !kept.empty() && std::all_of(arrays.begin(), arrays.end(), [&](const Array* a) {
      const auto last = static_cast<std::size_t>(kept.back());
      return a->strides()[last] == a->strides()[d] * shape[d];
    });
    if (merges) {
      kept.back() = static_cast<std::int64_t>(d);
      extents.back() *= shape[d];
    } else {
      kept.push_back(static_cast<std::int64_t>(d));
      extents.push_back(shape[d]);
    }
  }
  if (kept.empty() && !shape.empty()) {
    kept.push_back(0);
    extents.push_back(1);
  }
  for (Array* a : arrays) {
    Dims strides;
    for (const std::int64_t d : kept) strides.push_back(a->strides()[static_cast<std::size_t>(d)]);
    *a = a->view(extents, strides);
  }
  shape = extents;
}

int layout_key(const KernelParameter& p, const Array& a) {
  return 2 * a.ndim() + (a.c_contiguous() && (p.raw || a.ndim() < 2));
}

std::string cindexer_type(const Dims& shape) { return "CIndexer<" + std::to_string(shape.size()) + ">"; }

std::string declared(const KernelParameter& p, const Array* array, dtype type) {
  std::string text = p.is_const ? "const " : "";
  text += array ? carray_type(array->type(), layout_key(p, *array)) : std::string(c_type(type));
  return text + (array && !p.raw ? " _raw_" : " ") + p.name;
}

std::string element_of(const KernelParameter& p, const Array* array, const char* indexer) {
  if (!array || p.raw) return {};
  return std::string(p.is_const ? "const " : "") + p.type_name() + " &" + p.name + " = _raw_" + p.name + "[" +
         indexer + ".get()];\n";
}

void LoopArguments::add(const Array& a, bool written) {
  std::vector<std::byte> bytes(sizeof(std::byte*));
  const std::int64_t size = a.size();
  append(bytes, {&size, 1});
  append_dims(bytes, a.shape());
  append_dims(bytes, a.strides());
  arguments_.push_back({a, written, std::move(bytes)});
}

void LoopArguments::add(const Scalar& number) {
  const auto* data = reinterpret_cast<const std::byte*>(number.bytes);
  arguments_.push_back({Array(), false, {data, data + itemsize(number.type)}});
}

void LoopArguments::add(const Dims& shape) {
  std::vector<std::byte> bytes;
  const std::int64_t size = element_count(shape);
  append(bytes, {&size, 1});
  append_dims(bytes, shape);
  append_dims(bytes, shape);  // the index, which the kernel sets
  arguments_.push_back({Array(), false, std::move(bytes)});
}

void LoopArguments::add(std::int64_t number) {
  std::vector<std::byte> bytes;
  append(bytes, {&number, 1});
  arguments_.push_back({Array(), false, std::move(bytes)});
}

void LoopArguments::add(const Array& a, bool written, std::initializer_list<std::int64_t> numbers) {
  std::vector<std::byte> bytes(sizeof(std::byte*));
  append(bytes, {numbers.begin(), numbers.size()});
  arguments_.push_back({a, written, std::move(bytes)});
}

std::vector<LaunchArgument> LoopArguments::list() const {
  std::vector<LaunchArgument> launched;
  for (const Argument& a : arguments_) launched.push_back({a.array ? &a.array : nullptr, a.written, a.bytes});
  return launched;
}

LaunchShape ranges_of(std::int64_t n, std::int64_t cost) {
  const std::int64_t items = std::max<std::int64_t>(1, kRange / std::max<std::int64_t>(1, cost));
  LaunchShape shape;
  shape.grid.x =
      static_cast<std::uint32_t>(std::clamp<std::int64_t>((n + items - 1) / items, 1, kMostRanges));
  return shape;
}

}  // namespace cuprum::ops
