// Which general eigenvalue problems the host solves.
#pragma once

#include "runtime/primitives.h"

namespace cuprum::cuda::primitives {

/// Small matrices (kGeevSide in linalg_strategy.h), and all where cuSOLVER has no geev (before CUDA 12.8).
bool runs_on_host(const Eig& p, Operands in);

}  // namespace cuprum::cuda::primitives
