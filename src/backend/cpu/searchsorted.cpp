// Places of values in a sorted row: blocks of values that threads share out.
#include "backend/cpu/searchsorted.h"

#include <optional>

#include "backend/cpu/copies.h"
#include "backend/cpu/scratch.h"
#include "backend/cpu/simd/search.h"
#include "backend/cpu/space.h"
#include "backend/cpu/threads.h"

namespace cuprum::cpu {

namespace {

bool is_array(const std::byte* data, std::int64_t step, std::int64_t size) {
  return step == size && reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(size) == 0;
}

}  // namespace

void searchsorted(const View& row, const View& values, bool right, const View& out) {
  const int size = static_cast<int>(itemsize(row.type));
  const std::int64_t n = row.shape[0];
  const std::byte* sorted = row.data;
  std::optional<Scratch<std::byte>> dense;
  if (n > 0 && !is_array(row.data, row.strides[0], size)) {
    dense.emplace(n * size);
    copies().tile(size, {1, n, dense->data(), 0, size, row.data, 0, row.strides[0]});
    sorted = dense->data();
  }
  const Space<2> space({&values, &out}, out.shape.size());
  const std::int64_t in_step = space.step(0), out_step = space.step(1);
  parallel_for((space.size() + kSearchBlock - 1) / kSearchBlock, [&](std::int64_t block) {
    alignas(64) std::byte wanted[kSearchBlock * 16];
    alignas(64) std::int64_t places[kSearchBlock];
    const std::int64_t begin = block * kSearchBlock;
    space.each_run(begin, std::min(space.size(), begin + kSearchBlock), [&](auto p, std::int64_t m) {
      const std::byte* from = p[0];
      if (!is_array(from, in_step, size)) {
        copies().tile(size, {1, m, wanted, 0, size, from, 0, in_step});
        from = wanted;
      }
      auto* to = is_array(p[1], out_step, 8) ? reinterpret_cast<std::int64_t*>(p[1]) : places;
      CUPRUM_CALL_LEVEL(search_values(row.type, sorted, n, from, static_cast<int>(m), right, to));
      if (to == places) copies().tile(8, {1, m, p[1], 0, out_step, places, 0, 8});
    });
  });
}

}  // namespace cuprum::cpu
