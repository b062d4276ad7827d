// Random numbers on CUDA devices: which calls of Draw have a form here, and the families that draw them.
//
// Every form gives the numbers that the CPU gives, to the last bit, and the state behind them. A law stays
// with the CPU (on_host.h) where its numbers are exponentials, logarithms or powers, whose last bits are not
// the C library's here; where its draws are of mixed widths, its parameters are arrays, its numbers come in
// vectors; and with generators whose streams cannot be entered anywhere.
#pragma once

#include "backend/cuda/context.h"
#include "backend/cuda/primitives/random/chain_work.h"

namespace cuprum::cuda {

bool has_form(const Draw& p, Operands in);
/// What the C library computes.
kernels::random::Log1pForms log1p_forms();

namespace primitives {

// Each knows the laws of its file, and says whether this is one.
bool draw_simple(Context& context, const DrawJob& job);
bool draw_ziggurats(Context& context, const DrawJob& job);
bool draw_continuous(Context& context, const DrawJob& job);
bool draw_discrete(Context& context, const DrawJob& job);
bool draw_integers(Context& context, const DrawJob& job);

/// Units of 64 bits that a number of a ziggurat takes, on average and a little more, and a gamma number of a
/// shape of 1 or above.
inline constexpr double kNormalUnits = 1.023, kExponentialUnits = 1.035, kGammaUnits = 2.12;

}  // namespace primitives

}  // namespace cuprum::cuda
