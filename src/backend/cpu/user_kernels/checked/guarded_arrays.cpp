#include "backend/cpu/user_kernels/checked/guarded_arrays.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "cuprum/error.h"

namespace cuprum::cpu {

namespace {

// Further than an index of 32 bits without a sign reaches from an array of doubles: x[threadIdx.x - 1].
constexpr std::size_t kPage = 4096, kGap = std::size_t{40} << 30;

std::size_t pages(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

/// The bytes that the elements of a view lie in.
std::pair<std::byte*, std::size_t> extent(const View& view) {
  auto* const data = static_cast<std::byte*>(view.data);
  std::int64_t low = 0, high = static_cast<std::int64_t>(itemsize(view.type));
  for (std::size_t i = 0; i < view.shape.size(); ++i) {
    if (view.shape[i] == 0) return {data, 0};
    const std::int64_t reach = (view.shape[i] - 1) * view.strides[i];
    (reach < 0 ? low : high) += reach;
  }
  return {data + low, static_cast<std::size_t>(high - low)};
}

bool lies_side_by_side(const View& view, std::size_t bytes) {
  std::size_t count = itemsize(view.type);
  for (const std::int64_t n : view.shape) count *= static_cast<std::size_t>(n);
  return count == bytes;
}

}  // namespace

GuardedArrays::GuardedArrays(const Launch& launch, void** arguments, std::span<const View> in,
                             std::span<const View> out) {
  struct Piece {
    std::byte* begin;
    std::size_t bytes, argument, item;
  };
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < launch.parameters.size(); ++i) {
    const Launch::Parameter& p = launch.parameters[i];
    if (p.operand < 0) continue;
    const View& view = (p.written ? out : in)[static_cast<std::size_t>(p.operand)];
    const auto [begin, bytes] = extent(view);
    pieces.push_back({begin, bytes, i + 1, lies_side_by_side(view, bytes) ? itemsize(view.type) : 0});
  }
  std::ranges::stable_sort(pieces, {}, &Piece::begin);
  for (std::size_t i = 0; i < pieces.size();) {
    Piece whole = pieces[i];
    for (++i; i < pieces.size() && pieces[i].begin < whole.begin + whole.bytes; ++i) {
      const std::byte* end = std::max(whole.begin + whole.bytes, pieces[i].begin + pieces[i].bytes);
      whole.argument = std::min(whole.argument, pieces[i].argument);
      if (pieces[i].item != whole.item) whole.item = 0;
      whole.bytes = static_cast<std::size_t>(end - whole.begin);
    }
    const std::size_t cell = whole.item == 1 || whole.item == 2 ? whole.item : 4;
    arrays_.push_back(
        {whole.begin, whole.bytes, nullptr, whole.argument, whole.item, Shadow(whole.bytes, cell)});
  }
  reserve();
  for (std::size_t i = 0; i < launch.parameters.size(); ++i)
    relocate(static_cast<std::byte*>(arguments[i]), launch.parameters[i].size);
}

/// Reserves the addresses and fills the copies, each at the offset in its page that the original has: it is as aligned.
void GuardedArrays::reserve() {
  if (arrays_.empty()) return;
  bytes_ = kGap;
  for (const GuardedArray& a : arrays_) bytes_ += pages(a.bytes) + kPage + kGap;
  void* memory = ::mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw OutOfMemoryError("cuprum: no addresses for the checked mode's copies of arrays");
  low_ = static_cast<std::byte*>(memory);
  std::byte* next = low_ + kGap;
  for (GuardedArray& a : arrays_) {
    const std::size_t offset = reinterpret_cast<std::uintptr_t>(a.original) % kPage,
                      mapped = pages(offset + a.bytes);
    if (mapped != 0 && ::mprotect(next, mapped, PROT_READ | PROT_WRITE) != 0)
      throw OutOfMemoryError("cuprum: no memory for the checked mode's copies of arrays");
    a.copy = next + offset;
    if (a.bytes != 0) std::memcpy(a.copy, a.original, a.bytes);
    next += pages(a.bytes) + kPage + kGap;
  }
}

GuardedArrays::~GuardedArrays() {
  if (low_) ::munmap(low_, bytes_);
}

/// Addresses of arrays among the words of a parameter, be it a struct, become those of the copies.
void GuardedArrays::relocate(std::byte* bytes, std::size_t count) {
  for (std::size_t at = 0; at + sizeof(std::byte*) <= count; at += sizeof(std::byte*)) {
    std::byte* address = nullptr;
    std::memcpy(&address, bytes + at, sizeof address);
    const auto holds = [&](const GuardedArray& a) {
      return address >= a.original && address < a.original + std::max<std::size_t>(a.bytes, 1);
    };
    auto found =
        std::ranges::find_if(arrays_, [&](const GuardedArray& a) { return a.bytes != 0 && holds(a); });
    if (found == arrays_.end()) found = std::ranges::find_if(arrays_, holds);  // an empty one
    if (found == arrays_.end()) continue;
    address = found->copy + (address - found->original);
    std::memcpy(bytes + at, &address, sizeof address);
  }
}

GuardedArray& GuardedArrays::nearest(const std::byte* address) {
  if (arrays_[last_].contains(address)) return arrays_[last_];
  const auto distance = [&](const GuardedArray& a) {
    return address < a.copy ? a.copy - address : a.contains(address) ? 0 : address - (a.copy + a.bytes) + 1;
  };
  last_ = static_cast<std::size_t>(std::ranges::min_element(arrays_, {}, distance) - arrays_.begin());
  return arrays_[last_];
}

void GuardedArrays::copy_back() {
  for (GuardedArray& a : arrays_) {
    const std::uint8_t *const begin = a.shadow.written(), *const end = begin + a.bytes;
    for (const std::uint8_t* from = begin; from != end;) {
      from = std::find(from, end, 1);
      const std::uint8_t* to = std::find(from, end, 0);
      if (from != to)
        std::memcpy(a.original + (from - begin), a.copy + (from - begin),
                    static_cast<std::size_t>(to - from));
      from = to;
    }
  }
}

}  // namespace cuprum::cpu
