// Boolean masks in two parallel passes: count the true elements of each chunk, then let each chunk write at
// the position that the counts before it give. The chosen elements keep their C order.
#include "backend/cpu/select.h"

#include <vector>

#include "backend/cpu/backend.h"
#include "backend/cpu/simd/compress.h"
#include "backend/cpu/space.h"
#include "backend/cpu/threads.h"

namespace cuprum::cpu {

namespace {

constexpr std::int64_t kChunk = 1 << 14;

std::int64_t chunk_count(std::int64_t size) { return (size + kChunk - 1) / kChunk; }

template <class F>
void each_chunk(std::int64_t size, F&& f) {
  parallel_for(chunk_count(size),
               [&](std::int64_t chunk) { f(chunk, chunk * kChunk, std::min(size, (chunk + 1) * kChunk)); });
}

unsigned char* bytes(std::byte* p) { return reinterpret_cast<unsigned char*>(p); }

std::int64_t count_in(Run mask, std::int64_t n) { return CUPRUM_CALL_LEVEL(count_run(mask, n)); }

/// True elements before each chunk of the C-order space of `mask`, and at the end their total.
std::vector<std::int64_t> chunk_offsets(const View& mask) {
  const Space<1> space({&mask}, mask.shape.size());
  std::vector<std::int64_t> offsets(chunk_count(space.size()) + 1);
  each_chunk(space.size(), [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
    std::int64_t count = 0;
    space.each_run(begin, end, [&](auto p, std::int64_t n) {
      count += count_in({bytes(p[0]), space.step(0)}, n);
    });
    offsets[chunk + 1] = count;
  });
  for (std::size_t i = 1; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
  return offsets;
}

struct CountedChunks final : CountedMask {
  explicit CountedChunks(std::vector<std::int64_t> chunks)
      : CountedMask(chunks.back()), offsets(std::move(chunks)) {}
  const std::vector<std::int64_t> offsets;
};

/// Of a run of a chunk; one that is all of the chunk has been counted already.
std::int64_t count_in(Run mask, std::int64_t n, std::int64_t chunk, std::int64_t begin, std::int64_t end,
                      const std::vector<std::int64_t>& offsets) {
  return n == end - begin ? offsets[chunk + 1] - offsets[chunk] : count_in(mask, n);
}

const std::vector<std::int64_t>& offsets_of(const CountedMask& mask) {
  return static_cast<const CountedChunks&>(mask).offsets;
}

}  // namespace

std::shared_ptr<const CountedMask> count_true(const View& mask) {
  return std::make_shared<CountedChunks>(chunk_offsets(mask));
}

void select(const View& in, const View& mask, const CountedMask& counted, const View& out) {
  const std::vector<std::int64_t>& offsets = offsets_of(counted);
  const int size = static_cast<int>(itemsize(in.type));
  const Space<2> space({&in, &mask}, mask.shape.size());
  each_chunk(space.size(), [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
    std::byte* to = out.data + offsets[chunk] * size;
    space.each_run(begin, end, [&](auto p, std::int64_t n) {
      const Run from{bytes(p[0]), space.step(0)}, chosen{bytes(p[1]), space.step(1)};
      const std::int64_t count = count_in(chosen, n, chunk, begin, end, offsets);
      CUPRUM_CALL_LEVEL(compress_run(size, from, chosen, n, to, count));
      to += count * size;
    });
  });
}

void nonzero(const View& mask, const CountedMask& counted, const View& out) {
  const std::vector<std::int64_t>& offsets = offsets_of(counted);
  const std::size_t ndim = mask.shape.size();
  const std::int64_t inner = mask.shape[ndim - 1], step = mask.strides[ndim - 1];
  const std::int64_t size = element_count(mask.shape);
  each_chunk(size, [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
    std::int64_t k = offsets[chunk];
    Dims at(ndim);
    while (begin < end) {
      const std::byte* row = mask.data;
      std::int64_t rest = begin;
      for (std::size_t d = ndim; d-- > 0;) {
        at[d] = rest % mask.shape[d];
        rest /= mask.shape[d];
        row += at[d] * mask.strides[d];
      }
      const std::int64_t n = std::min(inner - at[ndim - 1], end - begin);
      const Run run{bytes(const_cast<std::byte*>(row)), step};
      const std::int64_t count = count_in(run, n);
      std::byte* to = out.data + k * out.strides[0];
      for (std::size_t d = 0; d + 1 < ndim && count > 0; ++d) {
        for (std::int64_t i = 0; i < count; ++i) {
          *reinterpret_cast<std::int64_t*>(to + i * out.strides[0] + d * out.strides[1]) = at[d];
        }
      }
      const Run last{bytes(to + (ndim - 1) * out.strides[1]), out.strides[0]};
      CUPRUM_CALL_LEVEL(true_positions(run, n, at[ndim - 1], last, count));
      k += count;
      begin += n;
    }
  });
}

void masked_fill(const View& to, const View& mask, const View& value) {
  const int size = static_cast<int>(itemsize(to.type));
  const Space<2> space({&to, &mask}, mask.shape.size());
  each_chunk(space.size(), [&](std::int64_t, std::int64_t begin, std::int64_t end) {
    space.each_run(begin, end, [&](auto p, std::int64_t n) {
      const Run target{bytes(p[0]), space.step(0)}, chosen{bytes(p[1]), space.step(1)};
      CUPRUM_CALL_LEVEL(fill_run(size, target, chosen, n, value.data));
    });
  });
}

void masked_assign(const View& to, const View& mask, const CountedMask& counted, const View& from) {
  const std::vector<std::int64_t>& offsets = offsets_of(counted);
  const int size = static_cast<int>(itemsize(to.type));
  const Space<2> space({&to, &mask}, mask.shape.size());
  const std::int64_t from_step = from.strides[0];
  each_chunk(space.size(), [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
    std::byte* source = from.data + offsets[chunk] * from_step;
    space.each_run(begin, end, [&](auto p, std::int64_t n) {
      const Run target{bytes(p[0]), space.step(0)}, chosen{bytes(p[1]), space.step(1)};
      const std::int64_t count = count_in(chosen, n, chunk, begin, end, offsets);
      CUPRUM_CALL_LEVEL(expand_run(size, target, chosen, n, {bytes(source), from_step}, count));
      source += count * from_step;
    });
  });
}

void call(const Select& p, Operands in, const View& out) { select(in[0], in[1], *p.counted, out); }
void call(const Nonzero& p, Operands in, const View& out) { nonzero(in[0], *p.counted, out); }
void call(const MaskedAssign& p, Operands in, const View& out) {
  masked_assign(out, in[1], *p.counted, in[0]);
}
void call(const MaskedFill&, Operands in, const View& out) { masked_fill(out, in[0], in[1]); }

}  // namespace cuprum::cpu
