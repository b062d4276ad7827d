#include "backend/cuda/bytecode/layout.h"

#include <bit>
#include <cstring>
#include <limits>

#include "codegen/divisor.h"

namespace cuprum::cuda::bytecode {

namespace {

std::uint32_t rounded(std::size_t bytes) { return static_cast<std::uint32_t>((bytes + 15) / 16 * 16); }

bool exceeds_int(const Dims& shape) {
  std::int64_t n = 1;
  for (std::int64_t extent : shape) n *= extent;
  return n > std::numeric_limits<std::int32_t>::max();
}

template <class T>
T* at(Program& program, std::size_t offset) {
  return reinterpret_cast<T*>(program.bytes.data() + offset);
}

}  // namespace

Layout::Layout(const Kernel& kernel, const Wanted& wanted, std::size_t instructions, std::size_t uniforms)
    : kernel_(kernel), wanted_(wanted) {
  // One kernel of reductions serves all sizes.
  wide_ = wanted.reduction >= 0 || exceeds_int(kernel.shape);
  order_dims();
  const std::size_t dims = dims_.size();
  const std::size_t accesses = kernel.leaves.size() + kernel.stores.size() + (wanted.reduction >= 0 ? 2 : 0);
  const std::size_t divisor = wide_ ? sizeof(device::Divisor<device::int64>) : sizeof(device::Divisor<int>);
  header_.uniforms = static_cast<std::uint16_t>(uniforms);
  header_.uniforms_at = static_cast<std::uint32_t>(sizeof(Header) + instructions * sizeof(Instruction));
  header_.dims_at = static_cast<std::uint32_t>(header_.uniforms_at + uniforms * sizeof(Uniform));
  header_.accesses_at = static_cast<std::uint32_t>(header_.dims_at + dims * divisor);
  header_.strides_at = static_cast<std::uint32_t>(header_.accesses_at + accesses * sizeof(Access));
  header_.bytes = rounded(header_.strides_at + accesses * dims * sizeof(std::int64_t));
  header_.coordinates_at = header_.bytes;
  const std::size_t coordinates = (dims - header_.inner) * kThreads * (wide_ ? 8 : 4);
  header_.registers_at = rounded(header_.coordinates_at + coordinates);
}

void Layout::order_dims() {
  const auto rank = static_cast<int>(kernel_.shape.size());
  const bool reduces = wanted_.reduction >= 0;
  const int inner = reduces ? wanted_.shape.inner_dims : rank > 0 ? 1 : 0;
  const auto add = [&](bool reduced) {
    std::uint16_t n = 0;
    for (int d = 0; d < rank - inner; ++d) {
      const bool is_reduced = reduces && (kernel_.reduced >> d & 1);
      if (is_reduced == reduced) dims_.push_back(d), ++n;
    }
    return n;
  };
  header_.kept = add(false);
  header_.major = add(true);
  header_.inner = static_cast<std::uint16_t>(inner);
  for (int d = rank - inner; d < rank; ++d) dims_.push_back(d);
  header_.straddles = inner > 1 && kernel_.shape.back() % kLanes != 0;
}

Access Layout::access(const std::byte* data, dtype type, const Dims& strides) const {
  const auto size = static_cast<std::int64_t>(itemsize(type));
  const std::uint64_t unit = size * kLanes < 16 ? static_cast<std::uint64_t>(size * kLanes) : 16;
  Access a = {};
  a.data = reinterpret_cast<std::uint64_t>(data);
  a.log_size = static_cast<std::uint8_t>(std::countr_zero(itemsize(type)));
  a.is_bool = type == dtype::bool_;
  if (header_.inner == 0) return a;
  a.stride = strides[strides.size() - 1];
  std::uint64_t all = a.data;
  for (std::size_t d = 0; d + 1 < strides.size(); ++d) all |= static_cast<std::uint64_t>(strides[d]);
  a.vector = !header_.straddles && a.stride == size && all % unit == 0;
  return a;
}

void Layout::write_access(Program& to, std::size_t number, const std::byte* data, dtype type,
                          const Dims& strides) const {
  at<Access>(to, header_.accesses_at)[number] = access(data, type, strides);
  std::int64_t* row = at<std::int64_t>(to, header_.strides_at) + number * dims_.size();
  for (std::size_t i = 0; i < dims_.size(); ++i) row[i] = strides[static_cast<std::size_t>(dims_[i])];
}

void Layout::write_reduction(Program& to, std::size_t number) const {
  const Reduction& r = kernel_.reductions[static_cast<std::size_t>(wanted_.reduction)];
  const std::size_t rank = kernel_.shape.size();
  Dims strides(rank), weights(rank);
  for (std::size_t d = 0; d < rank; ++d) {
    const bool reduced = kernel_.reduced >> d & 1;
    if (!reduced) strides[d] = r.strides[d];
    if (reduced && !r.arg_weights.empty()) weights[d] = r.arg_weights[d];
  }
  write_access(to, number, r.data, r.out, strides);
  write_access(to, number + 1, nullptr, dtype::int64, weights);
}

void Layout::begin(const Header& header, int planes, Program& to) {
  header_.length = header.length;
  header_.fold_length = header.fold_length;
  header_.value = header.value;
  header_.total = header.total;
  const std::size_t leaves = kernel_.leaves.size(), accesses = leaves + kernel_.stores.size();
  header_.result = static_cast<std::uint16_t>(accesses);
  header_.positions = static_cast<std::uint16_t>(accesses + 1);
  to.bytes.assign(header_.bytes, std::byte{0});
  std::memcpy(to.bytes.data(), &header_, sizeof(Header));
  for (std::size_t i = 0; i < dims_.size(); ++i) {
    const std::int64_t extent = kernel_.shape[static_cast<std::size_t>(dims_[i])];
    if (wide_) {
      at<device::Divisor<device::int64>>(to, header_.dims_at)[i] = make_divisor<device::int64>(extent);
    } else {
      at<device::Divisor<int>>(to, header_.dims_at)[i] = make_divisor<int>(extent);
    }
  }
  for (std::size_t i = 0; i < leaves; ++i) {
    write_access(to, i, kernel_.leaves[i].data, kernel_.leaves[i].type, kernel_.leaves[i].strides);
  }
  for (std::size_t i = 0; i < kernel_.stores.size(); ++i) {
    write_access(to, leaves + i, kernel_.stores[i].data, kernel_.stores[i].type, kernel_.stores[i].strides);
  }
  if (wanted_.reduction >= 0) write_reduction(to, accesses);
  to.shared_bytes = header_.registers_at + static_cast<std::size_t>(planes) * kPlaneBytes;
  to.wide = wide_;
}

Instruction* Layout::code(Program& to) const { return at<Instruction>(to, sizeof(Header)); }
Uniform* Layout::uniforms(Program& to) const { return at<Uniform>(to, header_.uniforms_at); }

}  // namespace cuprum::cuda::bytecode
