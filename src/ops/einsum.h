// Einstein's summation convention: sums of products over labelled axes.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/promotion.h"
#include "expr/array.h"

namespace cuprum::ops {

/// Which operands are contracted in each step, by their places in the list that shrinks from step to step: a result is its last.
using ContractionPath = std::vector<std::vector<std::size_t>>;

struct EinsumOptions {
  std::optional<dtype> type;  // to compute in; unset: the operands' common one
  char order = 'K';
  Casting casting = Casting::safe;
  const Array* out = nullptr;
  const ContractionPath* path = nullptr;  // null: the pair that saves most memory first
};

/// Subscripts as NumPy writes them: "ij,jk->ik".
Array einsum(std::string_view subscripts, std::span<const Array> operands, const EinsumOptions& options = {});

/// The steps that it takes where no path is given.
ContractionPath einsum_path(std::string_view subscripts, std::span<const Array> operands);

}  // namespace cuprum::ops
