// What one cuFFT plan can do: transforms of one to three axes over memory with steps, as many as one distance leads through.
//
// cuFFT's "advanced data layout": the point (x, y, z) of transform b lies at
//   b * dist + ((x * embed[1] + y) * embed[2] + z) * stride
// so that the axes of a plan are nested in memory, and one dimension beside them is walked through. Others are loops of calls.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/dims.h"
#include "cuprum/dtype.h"
#include "runtime/primitives_fft.h"

namespace cuprum::cuda::fft {

inline constexpr std::size_t kMostAxes = 3;

/// Memory that a program of steps names before anybody knows where it is.
struct Region {
  int memory;               // which one: program.h
  std::int64_t offset = 0;  // of the first element, bytes
  dtype type = dtype::bool_;
  Dims shape, strides;  // bytes
  bool operator==(const Region&) const = default;
};

/// One side of a plan, in elements.
struct Side {
  std::array<std::int64_t, kMostAxes> embed = {};
  std::int64_t stride = 0, dist = 0;
  bool operator==(const Side&) const = default;
};

struct Lines {
  Fft::Kind kind = Fft::Kind::points;
  bool wide = false;
  std::int64_t rank = 1;
  std::array<std::int64_t, kMostAxes> lengths = {};
  Side in, out;
  std::int64_t batch = 1;
  bool operator==(const Lines&) const = default;
};

/// A plan's lines between two regions, called once for each place of the loops.
struct Arrangement {
  Lines lines;
  Dims loops, in_steps, out_steps;  // bytes
};

/// Along `axes`, of which those of reals and to reals is the last; `lengths` in points. Both regions have the extents that the
/// transform asks for, more than one along every axis. Nothing: cuFFT cannot do that where they lie, or not well.
std::optional<Arrangement> arrange(Fft::Kind kind, const Region& from, const Region& to,
                                   std::span<const std::int64_t> axes, std::span<const std::int64_t> lengths);

/// Lines as numbers and back: what a plan's key keeps of them.
std::vector<std::int64_t> written(std::span<const Lines> lines);
std::vector<Lines> read(std::span<const std::int64_t> numbers);

}  // namespace cuprum::cuda::fft
