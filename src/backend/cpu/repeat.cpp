// Elements repeated by counts. Most counts are small, and their ends cannot be predicted: a fixed number of copies is
// written where there is room for them, and what is too much the next element overwrites (1e6 elements, 0 to 7 times
// each: 13 ms with a loop per element, 4 this way).
#include "backend/cpu/repeat.h"

#include <algorithm>
#include <cstring>

#include "backend/cpu/backend.h"
#include "backend/cpu/space.h"
#include "backend/cpu/threads.h"

namespace cuprum::cpu {

namespace {

constexpr std::int64_t kAtOnce = 8;
constexpr std::int64_t kChunk = 1 << 13;  // elements of `in` per task

struct Word16 {
  std::uint64_t low, high;
};

/// Elements [begin, end) of one row; `step` bytes apart in `to`.
template <class T>
void repeat_range(const std::byte* in, std::int64_t in_step, const std::int64_t* ends, std::int64_t begin,
                  std::int64_t end, std::byte* to, std::int64_t step) {
  std::int64_t at = begin == 0 ? 0 : ends[begin - 1];
  const std::int64_t last = ends[end - 1];
  for (std::int64_t i = begin; i < end; ++i) {
    T value;
    std::memcpy(&value, in + i * in_step, sizeof(T));
    const std::int64_t stop = ends[i];
    if (step == sizeof(T) && at + kAtOnce <= last) {
      T copies[kAtOnce];
      for (T& copy : copies) copy = value;
      std::memcpy(to + at * step, copies, sizeof(copies));
      at += kAtOnce;
    }
    for (; at < stop; ++at) std::memcpy(to + at * step, &value, sizeof(T));
    at = stop;
  }
}

template <class T>
void repeat_rows(const View& in, const std::int64_t* ends, const View& out) {
  const Space<2> rows({&in, &out}, in.shape.size() - 1);
  const std::int64_t n = in.shape.back(), chunks = (n + kChunk - 1) / kChunk;
  const std::int64_t grain = std::max<std::int64_t>(1, kChunk / n);  // short rows: several per task
  parallel_for((rows.size() + grain - 1) / grain * chunks, [&](std::int64_t task) {
    const std::int64_t first = task / chunks * grain, begin = task % chunks * kChunk;
    rows.each(first, std::min(rows.size(), first + grain), [&](auto p) {
      repeat_range<T>(p[0], in.strides.back(), ends, begin, std::min(n, begin + kChunk), p[1],
                      out.strides.back());
    });
  });
}

}  // namespace

void repeat(const View& in, const View& ends, const View& out) {
  const auto* at = reinterpret_cast<const std::int64_t*>(ends.data.address());
  switch (itemsize(in.type)) {
    case 1: return repeat_rows<std::uint8_t>(in, at, out);
    case 2: return repeat_rows<std::uint16_t>(in, at, out);
    case 4: return repeat_rows<std::uint32_t>(in, at, out);
    case 8: return repeat_rows<std::uint64_t>(in, at, out);
    default: return repeat_rows<Word16>(in, at, out);
  }
}

void call(const Repeat&, Operands in, const View& out) { repeat(in[0], in[1], out); }

}  // namespace cuprum::cpu
