#include "backend/cuda/primitives/fft/lines.h"

#include <algorithm>

namespace cuprum::cuda::fft {

namespace {

/// A call takes some 4 us beside its work; two copies, which would make one call of all, take as long for 4 MiB on a GPU that
/// moves 4 TB/s.
constexpr std::int64_t kFewCalls = 4, kWorthACall = std::int64_t{4} << 20;

/// Points of lines that lie beside each other; longer ones are copied, there and back. Milliseconds on an H200, where they lie and
/// copied (by 16 MiB chunks that stay in the L2 cache they took longer, in every row):
///
///     points x columns   complex64       complex128
///       512 x 8192     0.025  0.055    0.043  0.105
///      1000 x 8192     0.050  0.107    0.394  0.203
///      1024 x 8192     0.049  0.104    0.106  0.204
///      4096 x 2048     0.072  0.107    0.167  0.207
///      8192 x 1024     0.149  0.110    0.310  0.238
///     10000 x 1024     0.337  0.153    0.496  0.301
///
/// So double precision has no good kernel for columns whose length is no power of two. Shorter ones than 1000 were not measured.
constexpr std::int64_t kLongestColumn = 4096, kLongestUnevenColumn = 999;
std::int64_t longest_column(const Lines& lines) {
  const std::int64_t n = lines.lengths[0];
  return lines.wide && (n & (n - 1)) != 0 ? kLongestUnevenColumn : kLongestColumn;
}

std::int64_t item_of(const Region& region) { return static_cast<std::int64_t>(itemsize(region.type)); }

/// cuFFT wants reals to begin where complex numbers could.
std::int64_t alignment_of(const Region& region) {
  return is_complex(region.type) ? item_of(region) : 2 * item_of(region);
}

/// Whole elements, steps forward, no element met twice.
bool is_plain(const Region& region) {
  if (region.offset % alignment_of(region) != 0) return false;
  Dims order;
  for (std::size_t d = 0; d < region.shape.size(); ++d) {
    if (region.shape[d] > 1) order.push_back(static_cast<std::int64_t>(d));
  }
  const auto stride = [&](std::int64_t d) { return region.strides[static_cast<std::size_t>(d)]; };
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return stride(a) < stride(b); });
  std::int64_t covered = item_of(region);
  for (std::int64_t d : order) {
    if (stride(d) < covered || stride(d) % item_of(region) != 0) return false;
    covered = stride(d) * region.shape[static_cast<std::size_t>(d)];
  }
  return true;
}

/// The axes nested in each other, the last one innermost.
std::optional<Side> nested(const Region& region, std::span<const std::int64_t> axes) {
  Side side;
  const auto at = [&](const Dims& dims, std::size_t k) { return dims[static_cast<std::size_t>(axes[k])]; };
  for (std::size_t k = axes.size(); k-- > 1;) {
    const std::int64_t inner = at(region.strides, k), outer = at(region.strides, k - 1);
    if (outer % inner != 0 || outer / inner < at(region.shape, k)) return std::nullopt;
    side.embed[k] = outer / inner;
  }
  side.embed[0] = at(region.shape, 0);
  side.stride = at(region.strides, axes.size() - 1) / item_of(region);
  side.dist = at(region.shape, 0) * at(region.strides, 0) / item_of(region);  // of one transform: never used
  return side;
}

struct Loop {
  std::int64_t extent, in, out;
};

/// The dimensions beside the axes, the outermost of the result first, merged where both sides allow it.
std::vector<Loop> loops_of(const Region& from, const Region& to, std::span<const std::int64_t> axes) {
  std::vector<Loop> loops;
  for (std::size_t d = 0; d < to.shape.size(); ++d) {
    const bool is_axis = std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(d)) != axes.end();
    if (!is_axis && to.shape[d] > 1) loops.push_back({to.shape[d], from.strides[d], to.strides[d]});
  }
  std::stable_sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) { return a.out > b.out; });
  std::vector<Loop> merged;
  for (const Loop& loop : loops) {
    const bool merges = !merged.empty() && merged.back().in == loop.in * loop.extent &&
                        merged.back().out == loop.out * loop.extent;
    if (merges) {
      merged.back() = {merged.back().extent * loop.extent, loop.in, loop.out};
    } else {
      merged.push_back(loop);
    }
  }
  return merged;
}

/// The longest of the loops is the batch of each call.
bool take_loops(Arrangement& a, const Region& from, const Region& to, std::vector<Loop> loops) {
  if (!loops.empty()) {
    const auto longest = std::max_element(loops.begin(), loops.end(),
                                          [](const Loop& a, const Loop& b) { return a.extent < b.extent; });
    a.lines.batch = longest->extent;
    a.lines.in.dist = longest->in / item_of(from);
    a.lines.out.dist = longest->out / item_of(to);
    loops.erase(longest);
  }
  std::int64_t calls = 1;
  for (const Loop& loop : loops) {
    if (loop.in % alignment_of(from) != 0 || loop.out % alignment_of(to) != 0) return false;
    calls *= loop.extent;
    a.loops.push_back(loop.extent);
    a.in_steps.push_back(loop.in);
    a.out_steps.push_back(loop.out);
  }
  return calls <= kFewCalls || element_count(to.shape) * item_of(to) / calls >= kWorthACall;
}

bool has_long_columns(const Lines& lines) {
  const auto columns = [&](const Side& side) { return lines.batch > 1 && side.dist < side.stride; };
  if (lines.rank != 1 || !(columns(lines.in) || columns(lines.out))) return false;
  return lines.lengths[0] > longest_column(lines);
}

}  // namespace

std::optional<Arrangement> arrange(Fft::Kind kind, const Region& from, const Region& to,
                                   std::span<const std::int64_t> axes,
                                   std::span<const std::int64_t> lengths) {
  if (!is_plain(from) || !is_plain(to)) return std::nullopt;
  const std::optional<Side> in = nested(from, axes), out = nested(to, axes);
  if (!in || !out) return std::nullopt;
  Arrangement a;
  a.lines.kind = kind;
  a.lines.wide = itemsize(real_type(from.type)) == 8;
  a.lines.rank = static_cast<std::int64_t>(axes.size());
  std::copy(lengths.begin(), lengths.end(), a.lines.lengths.begin());
  a.lines.in = *in;
  a.lines.out = *out;
  if (!take_loops(a, from, to, loops_of(from, to, axes)) || has_long_columns(a.lines)) return std::nullopt;
  return a;
}

namespace {

/// Calls f with every number of the lines, in one order.
template <class L, class F>
void each_number(L& lines, F&& f) {
  f(lines.rank);
  for (auto& n : lines.lengths) f(n);
  for (auto* side : {&lines.in, &lines.out}) {
    for (auto& n : side->embed) f(n);
    f(side->stride);
    f(side->dist);
  }
  f(lines.batch);
}

}  // namespace

std::vector<std::int64_t> written(std::span<const Lines> lines) {
  std::vector<std::int64_t> numbers;
  for (const Lines& one : lines) {
    numbers.push_back(static_cast<std::int64_t>(one.kind) * 2 + one.wide);
    each_number(one, [&](std::int64_t n) { numbers.push_back(n); });
  }
  return numbers;
}

std::vector<Lines> read(std::span<const std::int64_t> numbers) {
  std::vector<Lines> all;
  for (auto at = numbers.begin(); at != numbers.end();) {
    Lines& one = all.emplace_back();
    one.kind = static_cast<Fft::Kind>(*at / 2);
    one.wide = *at++ % 2 != 0;
    each_number(one, [&](std::int64_t& n) { n = *at++; });
  }
  return all;
}

}  // namespace cuprum::cuda::fft
