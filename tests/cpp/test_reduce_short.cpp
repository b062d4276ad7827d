// Many short rows, which are folded together, against each row by itself: bit for bit, at every instruction-set level, for every
// operation and dtype. The rows end where no memory follows.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <complex>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "backend/cpu/loops.h"
#include "backend/cpu/reduce_loops.h"

namespace cuprum {
namespace {

std::vector<const ReduceTable*> runnable_tables() {
  std::vector<const ReduceTable*> tables;
#if defined(CUPRUM_SIMD_HAS_V2) && defined(CUPRUM_SIMD_HAS_V3) && defined(CUPRUM_SIMD_HAS_V4)
  tables.push_back(&v2::reduce_table());
  if (simd_level() >= SimdLevel::v3) tables.push_back(&v3::reduce_table());
  if (simd_level() >= SimdLevel::v4) tables.push_back(&v4::reduce_table());
#else
  tables.push_back(&reduce_loops());
#endif
  return tables;
}

/// Memory whose last byte is the last one that can be read.
class MemoryWithEnd {
 public:
  explicit MemoryWithEnd(std::size_t bytes) : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    size_ = (bytes + page_ - 1) / page_ * page_;
    data_ = static_cast<std::byte*>(
        mmap(nullptr, size_ + page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(data_ + size_, page_, PROT_NONE);
  }
  ~MemoryWithEnd() { munmap(data_, size_ + page_); }
  MemoryWithEnd(const MemoryWithEnd&) = delete;
  std::byte* last(std::size_t bytes) const { return data_ + size_ - bytes; }

 private:
  std::size_t page_, size_;
  std::byte* data_;
};

/// n elements, many of them equal; of floats also zeros of both signs, infinities and NaN.
void fill(dtype type, std::int64_t n, bool special, std::byte* to) {
  std::mt19937 generator(static_cast<unsigned>(n));
  const double odd[] = {0.0, -0.0, std::numeric_limits<double>::infinity(),
                        std::numeric_limits<double>::quiet_NaN()};
  const std::int64_t reals = is_complex(type) ? 2 * n : n;
  std::vector<double> x(static_cast<std::size_t>(reals));
  for (double& v : x) {
    v = is_integer(type) || is_bool(type) ? generator() % 7 : (generator() % 2000) / 64.0 - 9;
    if (special && !is_integer(type) && !is_bool(type) && generator() % 8 == 0) v = odd[generator() % 4];
  }
  const dtype real = is_complex(type) ? real_type(type) : type;
  loops().cast[static_cast<int>(dtype::float64)][static_cast<int>(real)](reals, to, x.data(), nullptr,
                                                                         nullptr);
  if (is_bool(type)) {  // any byte but 0 is true
    for (std::int64_t i = 0; i < n; ++i) to[i] = std::byte(generator() % 3 * 100);
  }
}

/// Which NaN comes of two is nobody's promise.
void forget_signs_of_nan(dtype result, std::vector<std::byte>& values) {
  const auto forget = [&](auto x) {
    using T = decltype(x);
    for (std::size_t i = 0; i + sizeof(T) <= values.size(); i += sizeof(T)) {
      std::memcpy(&x, &values[i], sizeof x);
      if (x != x) x = std::numeric_limits<T>::quiet_NaN();
      std::memcpy(&values[i], &x, sizeof x);
    }
  };
  if (result == dtype::float32 || result == dtype::complex64) forget(float());
  if (result == dtype::float64 || result == dtype::complex128) forget(double());
}

struct Rows {
  std::int64_t count, length;
  dtype type;
  const std::byte* data;

  /// The results of the rows, `together` at a time.
  std::vector<std::byte> folded(const ReduceLoops& loops, std::int64_t together) const {
    std::vector<std::byte> planes(static_cast<std::size_t>(kMaxPlanes * 16 * count)),
        results(itemsize(loops.result) * static_cast<std::size_t>(count));
    const States states{planes.data(), 16 * count, 0};
    for (std::int64_t at = 0; at < count; at += together) {
      const States to{states.data, states.stride, at};
      const std::byte* from = data + at * length * static_cast<std::int64_t>(itemsize(type));
      loops.narrow({std::min(together, count - at), length, 1, kWide, from, to, {3, 2, nullptr}, 0});
    }
    loops.finish(count, states, length, 0, results.data());
    forget_signs_of_nan(loops.result, results);
    return results;
  }
};

void expect_same(dtype type, bool special) {
  const MemoryWithEnd memory(70 * 34 * itemsize(type));
  for (std::int64_t length = 1; length <= kShortRows + 2; ++length) {
    for (const std::int64_t count : {1, 7, 8, 9, 15, 16, 17, 32, 40, 70}) {
      std::byte* data = memory.last(static_cast<std::size_t>(count * length) * itemsize(type));
      fill(type, count * length, special, data);
      const Rows rows{count, length, type, data};
      for (const ReduceTable* table : runnable_tables()) {
        for (int op = 0; op < ReduceTable::kOps; ++op) {
          const ReduceLoops& loops = table->loops[op][static_cast<int>(type)];
          if (!loops.narrow) continue;
          ASSERT_EQ(rows.folded(loops, count), rows.folded(loops, 1))
              << "operation " << op << " of " << name(type) << ", " << count << " rows of " << length;
        }
      }
    }
  }
}

TEST(ReduceShort, TogetherAsAlone) {
  for (int t = 0; t < kDTypeCount; ++t) expect_same(static_cast<dtype>(t), false);
}

TEST(ReduceShort, WithNanAndInfinities) {
  for (const dtype type : {dtype::float32, dtype::float64, dtype::complex64, dtype::complex128}) {
    expect_same(type, true);
  }
}

}  // namespace
}  // namespace cuprum
