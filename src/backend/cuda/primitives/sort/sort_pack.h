// The elementwise steps around the radix sorts. All views are dense; rows have n elements.
#pragma once

#include "backend/cuda/context.h"
#include "backend/cuda/primitives/sort/sort_plan.h"

namespace cuprum::cuda::primitives {

/// What stands below the key in a word (sort_plan.h). With nothing there, the key itself keeps every bit.
enum class Low : std::uint8_t { none, bits, index };

void pack_words(Context& context, const View& in, std::int64_t n, const SortPlan& plan, Low low,
                std::uint64_t* words);
/// The values of sorted words; of dtypes of up to 4 bytes.
void unpack_values(Context& context, const std::uint64_t* words, Low low, const View& out);
/// The lowest bits of sorted words; `index` may be the words themselves.
void unpack_indices(Context& context, const std::uint64_t* words, int bits, std::int64_t* index,
                    std::int64_t size);

/// keys[i] = the sort key of in[positions[i]] (null: of in[i]); of complex128 its `high` or its low half.
void sort_keys_at(Context& context, const View& in, const std::int64_t* positions, bool high,
                  std::uint64_t* keys);
/// keys[i] = the row of positions[i].
void row_keys_at(Context& context, const std::int64_t* positions, std::int64_t n, std::uint64_t* keys,
                 std::int64_t size);
/// 0, 1, 2, ...
void first_positions(Context& context, std::int64_t* positions, std::int64_t size);
/// index[i] = positions[i] counted from the beginning of its row; may be in place.
void positions_within_rows(Context& context, const std::int64_t* positions, std::int64_t n,
                           std::int64_t* index, std::int64_t size);
/// out[i] = in[positions[i]]
void take_positions(Context& context, const View& in, const std::int64_t* positions, const View& out);

}  // namespace cuprum::cuda::primitives
