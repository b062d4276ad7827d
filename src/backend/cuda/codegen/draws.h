// Leaves that generated kernels draw (device/draw.cuh): which laws, what their text is, and what a launch is given of them.
#pragma once

#include <string>

#include "codegen/plan.h"
#include "device/draw_argument.cuh"

namespace cuprum::cuda {

/// Has the law a form in kernels? Those have that make numbers of a unit each, always or in most cases: they wait for memory, which a
/// leaf does without. Others are bound by arithmetic, in which threads of a warp would wait for each other; a call is made for them,
/// and for ziggurats of float32 and halves of Philox4x64: as leaves, 64M of them took 1.4 and 2.4 times as long
/// (benchmarks/results/leaves-2026-11-20.md).
bool draws_in_kernels(const Draw& draw, dtype type);

/// What of the law and the generator is structure, as a number.
std::uint32_t draw_structure(const Draw& draw, dtype type);

/// "Draw<random::ElementStream>", the argument; "Drawer<random::RandomElement, ElementUnits, false>".
std::string draw_argument_type(const Draw& draw);
std::string drawer_type(const Draw& draw, dtype type);

/// Does a thread have something to do before it draws its first number, so that it should draw many?
bool starts_slowly(const Draw& draw);

class ArgumentBuffer;
/// Numbers that come in one block of the generator, so that an item should have as many.
int numbers_of_block(const Draw& draw);

/// Do 64 registers suffice for a kernel that draws it?
bool draws_lightly(const Draw& draw);

/// Adds the argument of a draw. `step`: numbers from what a thread takes to what it takes next.
void add_draw(const Draw& draw, dtype type, std::int64_t step, const device::random::Log1pForms& forms,
              ArgumentBuffer& buffer);

}  // namespace cuprum::cuda
