// How a kernel of several stages is run as one launch: who keeps a row.
//
//   threads of a row have at most 16 items each    row_program: a part of a warp, a warp, several, or a block per row
//   a row has 2 to 16 chunks of 16 items x 256     row_cluster: a block per chunk, a cluster per row
//   longer rows, columns, folds in order, rows whose elements would not fit the registers    no plan: runtime/stages.h splits
//                                                                                            them into kernels
#pragma once

#include "codegen/plan.h"

namespace cuprum::cuda {

/// False where there is none. `clusters`: does the device have them?
bool make_row_plan(const Kernel& kernel, bool clusters, Plan& plan);
constexpr bool has_clusters(int architecture) { return architecture >= 90; }

/// Bytes of shared memory that no row of a plan's kernel exceeds.
int most_shared(const Plan& plan);

/// Does a row store overwrite what another thread of the row may still read? Part of a kernel's structure.
bool overwrites_row_leaf(const Kernel& kernel);

}  // namespace cuprum::cuda
