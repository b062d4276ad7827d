#include <algorithm>
#include <limits>

#include "backend/cuda/primitives/common/words.cuh"
#include "backend/cuda/primitives/index/indices.h"
#include "cuprum/error.h"

namespace cuprum::cuda::primitives {

namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kNowhere = std::numeric_limits<std::int64_t>::min();  // out of bounds for every extent

struct Combine {
  Indices indices;
  Layout<kIndexArrays + 1> positions;
};

__global__ void combine_indices(Combine combine, std::int64_t* numbers) {
  const std::int64_t p = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (p >= combine.positions.size) return;
  std::int64_t at[kIndexArrays + 1];
  combine.positions.offsets(p, at);
  const Place place = combine.indices.locate(at);
  numbers[p] = place.number < 0 ? kNowhere : place.number;
}

__global__ void find_fault(Layout<1> positions, const char* index, std::int64_t extent,
                           unsigned long long* first) {
  const std::int64_t p = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (p >= positions.size) return;
  std::int64_t at[1];
  positions.offsets(p, at);
  const auto i = load<std::int64_t>(index + at[0]);
  if (i < -extent || i >= extent) atomicMin(first, static_cast<unsigned long long>(p));
}

Dims tail(const Dims& dims, std::size_t n) { return Dims(dims.begin() + n, dims.end()); }

View row_of(const View& view, std::size_t first, bool as_bytes) {
  View row{view.data, view.type, tail(view.shape, first), tail(view.strides, first)};
  if (as_bytes) {
    row.shape.push_back(static_cast<std::int64_t>(itemsize(view.type)));
    row.strides.push_back(1);
  }
  return row;
}

/// The widest word that everything a row touches is a multiple of.
std::size_t widest_word(const Move& move) {
  const Layout<2>& row = move.row;
  const int last = row.ndim - 1;
  std::uint64_t bits = 16 | static_cast<std::uint64_t>(row.shape[last]) |
                       reinterpret_cast<std::uintptr_t>(move.array) |
                       reinterpret_cast<std::uintptr_t>(move.line);
  for (int d = 0; d < last; ++d) bits |= row.strides[0][d] | row.strides[1][d];
  for (int k = 0; k < move.indices.count; ++k) bits |= move.indices.index[k].stride;
  for (int d = 0; d < move.positions.ndim; ++d) bits |= move.positions.strides[kIndexArrays][d];
  return static_cast<std::size_t>(bits & (~bits + 1));
}

/// Rows of bytes become rows of words.
void cut_rows(Move& move) {
  Layout<2>& row = move.row;
  const int last = row.ndim - 1;
  move.word = 1;
  if (row.strides[0][last] != 1 || row.strides[1][last] != 1) return;  // single bytes apart from each other
  const auto word = static_cast<std::int64_t>(widest_word(move));
  move.word = static_cast<std::size_t>(word);
  row.shape[last] /= word;
  row.size /= word;
  row.strides[0][last] = row.strides[1][last] = word;
  if (row.shape[last] == 1 && row.ndim > 1) --row.ndim;
  for (int d = 0; d < row.ndim; ++d) row.by[d] = Divider(row.shape[d]);
  row.narrow = is_narrow(row.size);
}

std::int64_t product(const Dims& dims) {
  std::int64_t size = 1;
  for (std::int64_t extent : dims) size *= extent;
  return size;
}

}  // namespace

bool IndexedMove::plan(const View& array, Operands index, const View* line, bool widen) {
  std::array<const View*, kIndexArrays + 1> views = {};
  const std::size_t indexed = index.size(), ndim = index[0].shape.size();
  move_.indices.count = static_cast<int>(indexed);
  move_.places = 1;
  for (std::size_t k = 0; k < indexed; ++k) {
    views[k] = &index[k];
    IndexArray& to = move_.indices.index[k];
    to.data = bytes(index[k].data);
    to.extent = array.shape[k];
    to.stride = array.strides[k];
    move_.places *= to.extent;
  }
  views[kIndexArrays] = line;
  const View array_row = row_of(array, indexed, widen);
  const View line_row = line ? row_of(*line, ndim, widen) : View();
  move_.array = bytes(array.data);
  move_.line = line ? bytes(line->data) : nullptr;
  if (!make_layout<kIndexArrays + 1>(views, 0, ndim, move_.positions)) return false;
  if (!make_layout<2>({&array_row, line ? &line_row : nullptr}, 0, array_row.shape.size(), move_.row))
    return false;
  move_.word = itemsize(array.type);
  if (widen) cut_rows(move_);
  move_.by_row = Divider(move_.row.size);
  move_.size = move_.positions.size * move_.row.size;
  move_.narrow = is_narrow(move_.size);
  return true;
}

IndexedMove::IndexedMove(Context& context, Direction direction, const View& array, Operands index,
                         const View* line, const IndexSite& site, bool widen) {
  move_.indices.function = site.function;
  move_.indices.fault = fault_record(context, site.told());
  move_.indices.claimed = move_.indices.fault->claimed;
  std::vector<View> arrays;
  for (std::size_t k = 0; k < index.size(); ++k) {
    if (k < kIndexArrays) move_.indices.index[k].axis = static_cast<std::int32_t>(site.axis_of(k));
    arrays.push_back(is_aligned(index[k]) ? index[k] : dense_.emplace_back(context, index[k]).view());
  }
  const bool plain = widen || (is_aligned(array) && (!line || is_aligned(*line)));
  if (plain && index.size() <= kIndexArrays && plan(array, arrays, line, widen)) return;

  // Too many index arrays or dimensions, or elements that are not aligned: everything is made dense.
  View dense_array = array, dense_line = line ? *line : View();
  if (direction == Direction::gather) {
    dense_array = dense_.emplace_back(context, array).view();
    out_.emplace(context, *line);
    dense_line = out_->view();
  } else {
    out_.emplace(context, array, true);
    dense_array = out_->view();
    if (line) dense_line = dense_.emplace_back(context, *line).view();
  }
  const Dims extents(array.shape.begin(), array.shape.begin() + index.size());
  arrays = combined(context, std::move(arrays), extents, site);
  View flat = dense_array;
  flat.shape = tail(dense_array.shape, index.size() - 1);
  // A dense view may have any stride where it has one element, and this one is about to have more.
  flat.strides = tail(contiguous_strides(dense_array.shape, static_cast<std::int64_t>(itemsize(array.type))),
                      index.size() - 1);
  flat.shape[0] = product(extents);
  if (index.size() > 1) move_.indices.index[0].axis = 0;  // its own faults were reported where it was made
  if (!plan(flat, arrays, line ? &dense_line : nullptr, widen)) {
    throw Error("cuprum: an index over more dimensions than the device takes");
  }
}

/// One index array over all indexed dimensions, made of groups of index arrays.
std::vector<View> IndexedMove::combined(Context& context, std::vector<View> index, Dims extents,
                                        const IndexSite& site) {
  const std::int64_t n = size_of(index[0]);
  for (View& view : index) view = dense_.emplace_back(context, view).view();
  while (index.size() > 1) {
    std::vector<View> next;
    Dims next_extents;
    for (std::size_t first = 0; first < index.size(); first += kIndexArrays) {
      const std::size_t count = std::min<std::size_t>(kIndexArrays, index.size() - first);
      Combine group{move_.indices, {}};
      std::array<const View*, kIndexArrays + 1> views = {};
      group.indices.count = static_cast<int>(count);
      std::int64_t places = 1;
      for (std::size_t k = 0; k < count; ++k) {
        views[k] = &index[first + k];
        group.indices.index[k] = {bytes(index[first + k].data), extents[first + k], 0,
                                  static_cast<std::int32_t>(site.axis_of(first + k))};
        places *= extents[first + k];
      }
      make_layout<kIndexArrays + 1>(views, 0, index[0].shape.size(), group.positions);
      Scratch& numbers = numbers_.emplace_back(context, static_cast<std::size_t>(n) * 8);
      combine_indices<<<block_count(n, kThreads), kThreads, 0, context.stream>>>(group,
                                                                                 numbers.get<std::int64_t>());
      launched(context, "combine_indices");
      next.push_back(dense_view(numbers.get(), dtype::int64, index[0].shape));
      next_extents.push_back(places);
    }
    index = std::move(next);
    extents = std::move(next_extents);
  }
  return index;
}

bool IndexedMove::is_uniform() const {
  for (int d = 0; d < move_.positions.ndim; ++d) {
    if (move_.positions.strides[kIndexArrays][d] != 0) return false;
  }
  return true;
}

void IndexedMove::finish(Context& context) {
  if (out_) out_->finish(context);
}

Fault first_fault(Context& context, const Dims& shape, Operands index) {
  std::vector<unsigned long long> first(index.size());
  Scratch found(context, first.size() * 8);
  check(cudaMemsetAsync(found.get(), 0xff, found.size(), context.stream), "first_fault");
  std::vector<Dense> dense;
  for (std::size_t k = 0; k < index.size(); ++k) {
    const View view = dense.emplace_back(context, index[k]).view();
    Layout<1> positions;
    make_layout<1>({&view}, 0, view.shape.size(), positions);
    if (size_of(view) == 0) continue;
    find_fault<<<block_count(size_of(view), kThreads), kThreads, 0, context.stream>>>(
        positions, bytes(view.data), shape[k], found.get<unsigned long long>() + k);
    launched(context, "first_fault");
  }
  read_back(context, first.data(), found.get(), first.size() * 8);
  for (std::size_t k = 0; k < index.size(); ++k) {
    if (first[k] == ~0ull) continue;
    Fault fault{static_cast<int>(k), 0};
    read_back(context, &fault.value, dense[k].view().data + first[k] * 8, 8);
    return fault;
  }
  return {};
}

}  // namespace cuprum::cuda::primitives
