#include "backend/cuda/primitives/fft/program.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/layout.h"

namespace cuprum::cuda::fft {

namespace {

using Kind = Fft::Kind;

std::int64_t item_of(dtype type) { return static_cast<std::int64_t>(itemsize(type)); }

Region region_of(int memory, const View& view) {
  const auto address = reinterpret_cast<std::uintptr_t>(view.data.address());
  return {memory, static_cast<std::int64_t>(address % kAlignment), view.type, view.shape, view.strides};
}

bool is_aligned(const Region& region) {
  std::int64_t bits = region.offset;
  for (std::size_t d = 0; d < region.shape.size(); ++d) {
    if (region.shape[d] > 1) bits |= region.strides[d];
  }
  return bits % item_of(region.type) == 0;
}

/// `count` elements of one dimension, from `begin` on, forwards or backwards.
Region sub(Region region, std::int64_t axis, std::int64_t begin, std::int64_t count, std::int64_t step = 1) {
  const auto d = static_cast<std::size_t>(axis);
  region.offset += begin * region.strides[d];
  region.shape[d] = count;
  region.strides[d] *= step;
  return region;
}

Region real_part(Region region) {
  region.type = real_type(region.type);
  return region;
}

Region imaginary_part(Region region) {
  region = real_part(std::move(region));
  region.offset += item_of(region.type);
  return region;
}

class Builder {
 public:
  Builder(const Fft& p, const View& in, const View& out) : p_(p), last_(p.axes.back()), n_(p.lengths.back()) {
    const Region from = aligned(cropped(region_of(kOperand, in))), result = region_of(kResult, out);
    const bool writable = is_aligned(result);
    const Region to = writable ? result : claimed(like(result, result.type, result.shape));
    switch (p.kind) {
      case Kind::from_real: from_real(from, to); break;
      case Kind::to_real: to_real(from, to); break;
      case Kind::points: is_complex(from.type) ? points(from, to) : points_of_reals(from, to); break;
    }
    if (!writable) move(to, result);
  }

  Program take() && { return std::move(program_); }

 private:
  // -- What there is to be done.

  void points(const Region& from, const Region& to) {
    points(from, to, long_axes(p_.axes.size(), to), p_.backward);
    finish(to, p_.scale, false);
  }

  /// cuFFT's sign is -: the other one gives the conjugates.
  void from_real(const Region& from, const Region& to) {
    Dims outer = long_axes(p_.axes.size() - 1, to), inner;
    while (!outer.empty() && inner.size() + 1 < kMostAxes) {
      inner.insert(0, outer.back());
      outer.pop_back();
    }
    inner.push_back(last_);
    if (n_ > 1) {
      reals(from, to, inner);
    } else {
      fill(real_part(to), from);
      program_.steps.emplace_back(Zero{imaginary_part(to)});
      outer = long_axes(p_.axes.size() - 1, to);
    }
    points(to, to, outer, false);
    finish(to, p_.scale, p_.backward);
  }

  /// cuFFT's sign is +: the other one is that of the conjugates.
  void to_real(const Region& from, const Region& to) {
    const Dims only{last_};
    Dims half = to.shape;
    half[static_cast<std::size_t>(last_)] = n_ / 2 + 1;
    Region between = like(to, from.type, half);
    const bool apart = n_ > 1 && !arranged(Kind::to_real, between, to, only, true);
    if (apart) between = dense(from.type, half, only);
    claimed(between);
    points(from, between, long_axes(p_.axes.size() - 1, between), p_.backward);
    if (n_ == 1) {
      move(real_part(between), to);
      return finish(to, p_.scale, false);
    }
    program_.steps.emplace_back(Zero{imaginary_part(sub(between, last_, 0, 1))});
    if (n_ % 2 == 0) program_.steps.emplace_back(Zero{imaginary_part(sub(between, last_, n_ / 2, 1))});
    finish(between, 1, !p_.backward);
    const Region reals = apart ? claimed(dense(to.type, to.shape, only)) : to;
    transform(Kind::to_real, between, reals, only, true);
    if (apart) move(reals, to);
    finish(to, p_.scale, false);
  }

  void points_of_reals(const Region& from, const Region& to) {
    from_real(from, sub(to, last_, 0, n_ / 2 + 1));
    const std::int64_t mirrored = (n_ - 1) / 2;
    if (mirrored == 0) return;
    // The point k of the last axis is that at n - k, and so for every other axis but for their points 0, which stay.
    std::vector<std::pair<Region, Region>> pieces = {
        {sub(to, last_, mirrored, mirrored, -1), sub(to, last_, n_ - mirrored, mirrored)}};
    for (std::int64_t axis : long_axes(p_.axes.size() - 1, to)) {
      const std::int64_t rest = to.shape[static_cast<std::size_t>(axis)] - 1;
      for (std::size_t i = pieces.size(); i-- > 0;) {
        const auto [image, mirror] = pieces[i];
        pieces.emplace_back(sub(image, axis, rest, rest, -1), sub(mirror, axis, 1, rest));
        pieces[i] = {sub(image, axis, 0, 1), sub(mirror, axis, 0, 1)};
      }
    }
    for (const auto& [image, mirror] : pieces) move(image, mirror, 1, true);
  }

  /// Complex points along `axes`, not scaled. The regions may be one.
  void points(const Region& from, const Region& to, const Dims& axes, bool backward) {
    if (axes.empty()) {
      if (from.memory != to.memory) fill(to, from);
      return;
    }
    if (from.shape == to.shape && transform(Kind::points, from, to, axes, backward)) return;
    if (arranged(Kind::points, to, to, axes, backward)) {
      fill(to, from);
      transform(Kind::points, to, to, axes, backward);
      return;
    }
    if (axes.size() > kMostAxes) {  // the innermost, then the others
      const std::size_t others = axes.size() - kMostAxes;
      points(from, to, Dims(axes.begin() + others, axes.end()), backward);
      return points(to, to, Dims(axes.begin(), axes.begin() + others), backward);
    }
    const Region apart = claimed(dense(to.type, to.shape, axes));
    if (from.shape == to.shape && transform(Kind::points, from, apart, axes, backward))
      return move(apart, to);
    fill(apart, from);
    if (transform(Kind::points, apart, to, axes, backward)) return;
    transform(Kind::points, apart, apart, axes, backward);
    move(apart, to);
  }

  /// Complex points of reals along at most as many axes as a plan takes, of the last one the first half.
  void reals(const Region& from, const Region& to, const Dims& axes) {
    Dims whole = to.shape;
    whole[static_cast<std::size_t>(last_)] = n_;
    const bool fits = from.shape == whole;
    if (fits && transform(Kind::from_real, from, to, axes, false)) return;
    const Region near = like(to, from.type, whole);
    if (arranged(Kind::from_real, near, to, axes, false)) {
      fill(claimed(near), from);
      transform(Kind::from_real, near, to, axes, false);
      return;
    }
    const Region apart = claimed(dense(to.type, to.shape, axes));
    if (!fits || !transform(Kind::from_real, from, apart, axes, false)) {
      const Region row = claimed(dense(from.type, whole, axes));
      fill(row, from);
      transform(Kind::from_real, row, apart, axes, false);
    }
    move(apart, to);
  }

  // -- Axes and memory.

  /// The first `count` axes, but for those of one point, which is its own transform: the outermost in memory first.
  Dims long_axes(std::size_t count, const Region& region) const {
    Dims axes;
    for (std::size_t i = 0; i < count; ++i) {
      if (p_.lengths[i] > 1) axes.push_back(p_.axes[i]);
    }
    const auto stride = [&](std::int64_t d) { return region.strides[static_cast<std::size_t>(d)]; };
    std::stable_sort(axes.begin(), axes.end(), [&](auto a, auto b) { return stride(a) > stride(b); });
    return axes;
  }

  std::int64_t length(std::int64_t axis) const {
    const auto at = std::find(p_.axes.begin(), p_.axes.end(), axis);
    return p_.lengths[static_cast<std::size_t>(at - p_.axes.begin())];
  }

  Region cropped(Region region) const {
    for (std::size_t i = 0; i < p_.axes.size(); ++i) {
      const bool halved = p_.kind == Kind::to_real && i + 1 == p_.axes.size();
      std::int64_t& extent = region.shape[static_cast<std::size_t>(p_.axes[i])];
      extent = std::min(extent, halved ? n_ / 2 + 1 : p_.lengths[i]);
    }
    return region;
  }

  Region aligned(const Region& region) {
    if (is_aligned(region)) return region;
    const Region copy = claimed(like(region, region.type, region.shape));
    move(region, copy);
    return copy;
  }

  /// Memory that the program would have next; `claimed`: has.
  Region next(dtype type, const Dims& shape, const Dims& strides) const {
    return {kFirstScratch + static_cast<int>(program_.scratch.size()), 0, type, shape, strides};
  }
  Region claimed(Region region) {
    program_.scratch.push_back(static_cast<std::size_t>(element_count(region.shape)) * itemsize(region.type));
    return region;
  }

  /// Without gaps, its dimensions in the order of another region.
  Region like(const Region& other, dtype type, const Dims& shape) const {
    return next(type, shape, copy_strides(shape, other.strides, item_of(type)));
  }
  /// Without gaps, `axes` innermost.
  Region dense(dtype type, const Dims& shape, const Dims& axes) const {
    SmallVector<std::uint8_t, 8> order;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(d)) == axes.end())
        order.push_back(static_cast<std::uint8_t>(d));
    }
    for (std::int64_t axis : axes) order.push_back(static_cast<std::uint8_t>(axis));
    return next(type, shape, dense_strides(shape, order, item_of(type)));
  }

  // -- Steps.

  void move(const Region& from, const Region& to, double scale = 1, bool conjugate = false) {
    if (element_count(from.shape) != 0) program_.steps.emplace_back(Move{from, to, scale, conjugate});
  }

  /// By the copy that came last, if that made the region.
  void finish(const Region& at, double scale, bool conjugate) {
    if (scale == 1 && !conjugate) return;
    Move* copy = program_.steps.empty() ? nullptr : std::get_if<Move>(&program_.steps.back());
    if (!copy || copy->to != at) return move(at, at, scale, conjugate);
    copy->scale *= scale;
    copy->conjugate ^= conjugate;
  }

  /// Copies what there is and makes the rest zero.
  void fill(const Region& to, const Region& from) {
    Region part = to;
    part.shape = from.shape;
    for (std::size_t d = 0; d < to.shape.size(); ++d) {
      if (from.shape[d] == to.shape[d]) continue;
      program_.steps.emplace_back(
          Zero{sub(to, static_cast<std::int64_t>(d), from.shape[d], to.shape[d] - from.shape[d])});
    }
    move(from, part);
  }

  /// Along the last axes first, as many at a time as a plan can take, the first ones from region to region, the others in place.
  std::optional<std::vector<Transform>> arranged(Kind kind, const Region& from, const Region& to, Dims axes,
                                                 bool backward) const {
    std::vector<Transform> found;
    Dims lengths;
    for (std::int64_t axis : axes) lengths.push_back(length(axis));
    while (!axes.empty()) {
      const bool first = found.empty();
      std::optional<Arrangement> how;
      std::size_t taken = std::min(kMostAxes, axes.size()) + 1;
      while (!how && --taken > 0) {
        how = arrange(first ? kind : Kind::points, first ? from : to, to, {axes.end() - taken, taken},
                      {lengths.end() - taken, taken});
      }
      if (!how) return std::nullopt;
      found.push_back({std::move(*how), first ? from : to, to, backward});
      for (; taken > 0; --taken) axes.pop_back(), lengths.pop_back();
    }
    return found;
  }

  bool transform(Kind kind, const Region& from, const Region& to, const Dims& axes, bool backward) {
    const auto found = arranged(kind, from, to, axes, backward);
    if (found) program_.steps.insert(program_.steps.end(), found->begin(), found->end());
    return found.has_value();
  }

  const Fft& p_;
  const std::int64_t last_, n_;  // the last axis, its points
  Program program_;
};

}  // namespace

std::vector<Lines> Program::lines() const {
  std::vector<Lines> lines;
  for (const Step& step : steps) {
    if (const auto* transform = std::get_if<Transform>(&step)) lines.push_back(transform->how.lines);
  }
  return lines;
}

Program program_of(const Fft& p, const View& in, const View& out) { return Builder(p, in, out).take(); }

}  // namespace cuprum::cuda::fft
