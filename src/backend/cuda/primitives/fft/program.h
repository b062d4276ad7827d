// A transform as a list of steps: cuFFT's calls, and what it leaves to be done around them.
//
// Where the operand and the result lie in a way that cuFFT's plans can describe (lines.h), a transform reads the one and writes
// the other, several axes at once, further ones in the result. Else there are copies:
//   - the operand is copied to where the result will be, or to memory laid out like it, if the axis is too short (the rest is
//     zeros) or the operand has steps that no plan can walk;
//   - both sides are copied if the result has such steps, or dimensions on both sides of an axis that would take many calls. The
//     second copy scales.
// To reals, cuFFT spoils what it reads: always a copy, in which imaginary parts that such numbers have not become zero.
// Complex points of reals are their first half and its mirror image, so that they are each other's conjugates exactly.
#pragma once

#include <variant>
#include <vector>

#include "backend/cuda/primitives/fft/lines.h"
#include "runtime/program.h"

namespace cuprum::cuda::fft {

/// Memories of a program: the operand and the result, from the last address that is a multiple of kAlignment on, then its own.
inline constexpr int kOperand = 0, kResult = 1, kFirstScratch = 2;
inline constexpr std::int64_t kAlignment = 256;

struct Zero {
  Region at;
};
/// Equal shapes; one region, or two that do not overlap. Scaled ones are aligned to their elements.
struct Move {
  Region from, to;
  double scale = 1;
  bool conjugate = false;
};
struct Transform {
  Arrangement how;
  Region from, to;  // may be one
  bool backward;    // of complex points: the sign of cuFFT's others follows from their kind
};
using Step = std::variant<Zero, Move, Transform>;

struct Program {
  std::vector<std::size_t> scratch;  // bytes of the memories from kFirstScratch on
  std::vector<Step> steps;

  /// Of each Transform, in order.
  std::vector<Lines> lines() const;
};

/// The result has elements. Of the views' addresses only their alignment matters.
Program program_of(const Fft& p, const View& in, const View& out);

}  // namespace cuprum::cuda::fft
