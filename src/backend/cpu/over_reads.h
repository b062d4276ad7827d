// Kernels whose stores overlap their leaves otherwise than as the identical view: a step of a stencil in its own array.
//
// Where the leaves lie in memory as the store does, some rows before or behind it, an index of the first dimension is a *row*, and
// the *reach* says how many rows away what a row reads may be written. Rows are computed in slices, into memory that the
// nearest caches hold, and a slice goes to its place when the next one has been computed. Threads have chunks of rows: what lies
// within reach of another chunk, the edges, is computed before any chunk is written.
// Everything else is computed into a temporary, and copied.
#pragma once

#include "runtime/program.h"

namespace cuprum::cpu {

/// Runs `kernel`, which has no reductions, if its stores overlap its leaves so. False: they do not, and nothing was done.
bool run_over_reads(const Kernel& kernel);

}  // namespace cuprum::cpu
