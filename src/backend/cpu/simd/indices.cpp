#include "backend/cpu/simd/indices.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace {

int64_t index_at(const void* index, int64_t offset) {
  int64_t value;
  __builtin_memcpy(&value, static_cast<const char*>(index) + offset, sizeof(value));
  return value;
}

/// An index in bounds, seen from -extent, is an unsigned number below 2 * extent.
template <class Step>
bool in_bounds(int64_t n, const void* index, Step step, int64_t extent) {
  const uint64_t low = static_cast<uint64_t>(extent), count = 2 * low;
  uint64_t bad = 0;
  for (int64_t i = 0; i < n; ++i) {
    const uint64_t from_low = static_cast<uint64_t>(index_at(index, i * step())) + low;
    bad |= from_low >= count ? 1 : 0;
  }
  return bad == 0;
}

template <class Step>
void add(int64_t n, const void* index, Step step, int64_t extent, int64_t stride, int64_t* offsets) {
  for (int64_t i = 0; i < n; ++i) {
    const int64_t at = index_at(index, i * step());
    offsets[i] += (at + (at < 0 ? extent : 0)) * stride;
  }
}

struct Contiguous {
  constexpr int64_t operator()() const { return 8; }
};
struct Strided {
  int64_t bytes;
  int64_t operator()() const { return bytes; }
};

}  // namespace

bool indices_in_bounds(int64_t n, const void* index, int64_t step, int64_t extent) {
  return step == 8 ? in_bounds(n, index, Contiguous(), extent) : in_bounds(n, index, Strided{step}, extent);
}

void add_offsets(int64_t n, const void* index, int64_t step, int64_t extent, int64_t stride,
                 int64_t* offsets) {
  step == 8 ? add(n, index, Contiguous(), extent, stride, offsets)
            : add(n, index, Strided{step}, extent, stride, offsets);
}

void redirect_offsets(int64_t n, int64_t* offsets, int64_t low, int64_t high, int64_t elsewhere) {
  for (int64_t i = 0; i < n; ++i) {
    const int64_t at = offsets[i];
    offsets[i] = at >= low && at < high ? at : elsewhere + (i & 15) * 16;
  }
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
