// Evaluates one block of a program on one thread.
#include "backend/cpu/evaluator.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace cuprum::cpu {

namespace {

struct Scratch {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  ~Scratch() { std::free(data); }
};
thread_local Scratch scratch;

std::int64_t offset_of(const Access& a, const std::int64_t* coords, std::size_t dims) {
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < dims; ++d) offset += coords[d] * a.strides[d];
  return offset;
}

bool in_one_run(const Access& a, std::int64_t flat, std::int64_t n) {
  return a.run != 0 && flat % a.run + n <= a.run;
}

/// Walks elements [flat, flat + n) in row-major order as tiles of whole rows and pieces of rows, and copies each between
/// the strided operand and the contiguous register, in the direction `Out` says.
template <bool Out>
void copy_range(const CopyLoops& copies, const Dims& shape, const Access& a, const std::int64_t* start,
                std::int64_t n, std::byte* reg) {
  const std::size_t dims = shape.size();
  const std::int64_t size = a.itemsize;
  if (dims == 0) {
    copies.tile(a.itemsize, {1, 1, Out ? a.data : reg, size, size, Out ? reg : a.data, size, size});
    return;
  }
  std::byte* memory = a.data + offset_of(a, start, dims);
  const std::int64_t inner = shape[dims - 1];
  const std::int64_t inner_stride = a.strides[dims - 1];
  const std::int64_t row_stride = dims > 1 ? a.strides[dims - 2] : 0;
  std::int64_t coords[kMaxDims];
  std::copy(start, start + dims, coords);
  while (n > 0) {
    const std::int64_t at = coords[dims - 1];
    std::int64_t rows = 1, cols = std::min(n, inner - at);
    if (at == 0 && dims > 1 && n >= inner) rows = std::min(n / inner, shape[dims - 2] - coords[dims - 2]);
    if (Out) {
      copies.tile(a.itemsize, {rows, cols, memory, row_stride, inner_stride, reg, cols * size, size});
    } else {
      copies.tile(a.itemsize, {rows, cols, reg, cols * size, size, memory, row_stride, inner_stride});
    }
    n -= rows * cols;
    reg += rows * cols * size;
    if (n == 0) break;
    // Here a row has ended, and rows - 1 more with it: carry into the outer dimensions.
    memory += (rows - 1) * row_stride - at * inner_stride;
    coords[dims - 1] = 0;
    if (dims > 1) coords[dims - 2] += rows - 1;
    for (std::size_t d = dims - 1; d-- > 0;) {
      memory += a.strides[d];
      if (++coords[d] < shape[d]) break;
      memory -= coords[d] * a.strides[d];
      coords[d] = 0;
    }
  }
}

}  // namespace

void decompose(const Dims& shape, std::int64_t flat, std::int64_t* coords) {
  for (std::size_t d = shape.size(); d-- > 1;) {
    const std::int64_t rest = flat / shape[d];
    coords[d] = flat - rest * shape[d];
    flat = rest;
  }
  if (!shape.empty()) coords[0] = flat;
}

void store_range(const Dims& shape, const Access& to, std::int64_t flat, std::int64_t n, std::byte* from) {
  if (to.flat) {
    std::memcpy(to.data + flat * to.itemsize, from, static_cast<std::size_t>(n) * to.itemsize);
    return;
  }
  std::int64_t coords[kMaxDims];
  decompose(shape, flat, coords);
  copy_range<true>(copies(), shape, to, coords, n, from);
}

std::byte* thread_scratch(std::size_t bytes) {
  Scratch& s = scratch;
  if (bytes > s.bytes) {
    const std::size_t rounded = (std::max(bytes, 2 * s.bytes) + 4095) & ~std::size_t{4095};
    auto* fresh = static_cast<std::byte*>(std::aligned_alloc(64, rounded));
    if (!fresh) throw std::bad_alloc();
    std::free(s.data);
    s.data = fresh;
    s.bytes = rounded;
  }
  return s.data;
}

Context::Context(const Program& program, std::byte* scratch) : p_(program), copies_(copies()) {
  slots_.resize(p_.slots);
  for (std::uint16_t s = p_.first_register; s < p_.slots; ++s) {
    slots_[s] = scratch;
    scratch += p_.register_bytes;
  }
  for (const MadeLeaf& leaf : p_.made) {
    ahead_.push_back({scratch});
    scratch += Program::bytes_ahead(leaf);
  }
  const std::int64_t n = std::min(p_.block, p_.total);
  for (std::size_t i = 0; i < p_.kernel->scalars.size(); ++i) {
    const Scalar& scalar = p_.kernel->scalars[i];
    copies_.fill(static_cast<int>(itemsize(scalar.type)), n, slots_[p_.first_scalar + i], scalar.bytes);
  }
  if (!p_.flat) {
    filled_.resize(p_.leaves.size(), 0);
    values_.resize(p_.leaves.size(), nullptr);
  }
}

Context::~Context() {
  for (const StoreAccess& store : p_.stores) {
    if (store.streamed) {
      copies_.stream_end();
      break;
    }
  }
}

void Context::run_steps(std::int64_t n) {
  void* const* slots = slots_.data();
  for (const Step& step : p_.steps) step.fn(n, slots[step.dst], slots[step.a], slots[step.b], slots[step.c]);
}

/// Is register i full of this value, which n elements of a row have in common? From now on it is.
bool Context::holds(std::size_t i, const std::byte* value, std::int64_t n) {
  if (values_[i] == value && filled_[i] >= n) return true;
  values_[i] = value;
  filled_[i] = n;
  return false;
}

void Context::resolve_leaf(std::size_t i, const std::int64_t* coords, std::int64_t flat, std::int64_t n) {
  const Access& leaf = p_.leaves[i];
  if (leaf.made) return;
  if (leaf.flat) {
    slots_[leaf.slot] = leaf.data + flat * leaf.itemsize;
    return;
  }
  if (in_one_run(leaf, flat, n)) {
    slots_[leaf.slot] = leaf.data + offset_of(leaf, coords, p_.kernel->shape.size());
    return;
  }
  slots_[leaf.slot] = slots_[leaf.reg];
  const std::size_t dims = p_.kernel->shape.size();
  if (leaf.period == 0 && dims != 0 && leaf.strides[dims - 1] == 0 &&
      coords[dims - 1] + n <= p_.kernel->shape[dims - 1]) {
    const std::byte* value = leaf.data + offset_of(leaf, coords, dims - 1);
    if (!holds(i, value, n)) copies_.fill(leaf.itemsize, n, slots_[leaf.reg], value);
    return;
  }
  values_[i] = nullptr;
  const bool from_the_top = leaf.period != 0 && flat % leaf.period == 0;
  if (from_the_top && filled_[i] >= n) return;  // what it holds serves this block too
  copy_range<false>(copies_, p_.kernel->shape, leaf, coords, n, static_cast<std::byte*>(slots_[leaf.reg]));
  filled_[i] = from_the_top ? n : 0;
}

/// Makes room for n elements from `flat` on of made leaf i, and for more where those before have been asked for, at most `most`. The
/// number of elements that are to be made; 0: they are there.
std::int64_t Context::place_made(std::size_t i, std::int64_t flat, std::int64_t n, std::int64_t most) {
  const MadeLeaf& leaf = p_.made[i];
  Ahead& ahead = ahead_[i];
  void*& slot = slots_[p_.leaves[leaf.leaf].slot];
  if (flat >= ahead.first && flat + n <= ahead.last) {
    slot = ahead.memory + (flat - ahead.first) * item_size(leaf.from);
    return 0;
  }
  const bool goes_on =
      flat >= ahead.first && flat <= ahead.last;  // a piece may lie across the end of what was made
  ahead.length = goes_on ? std::min(2 * std::max(ahead.length, n), leaf.ahead) : n;
  const std::int64_t count = std::min(std::max(ahead.length / n * n, n), most);
  ahead.first = flat;
  ahead.last = flat + count;
  slot = ahead.memory;
  return count;
}

void Context::resolve_made(const std::int64_t* coords, std::int64_t flat, std::int64_t n, std::int64_t end) {
  const Dims& shape = p_.kernel->shape;
  const bool one_row = !shape.empty() && coords[shape.size() - 1] + n <= shape.back();
  for (std::size_t i = 0; i < p_.made.size(); ++i) {
    const MadeLeaf& leaf = p_.made[i];
    const auto* gather = one_row ? std::get_if<GatherSource>(&leaf.from) : nullptr;
    if (const std::byte* row = gather ? row_in_place(*gather, coords, shape.size()) : nullptr) {
      if (coords[shape.size() - 1] == 0) prefetch_next_row(*gather, shape, coords);
      slots_[p_.leaves[leaf.leaf].slot] = const_cast<std::byte*>(row);
      continue;
    }
    const std::int64_t count = place_made(i, flat, n, end - flat);
    if (count != 0) make_range(leaf.from, shape, coords, count, ahead_[i].memory);
  }
}

void Context::resolve_store(const StoreAccess& store, const std::int64_t* coords, std::int64_t flat,
                            std::int64_t n) {
  if (store.streamed) {
    if (!store.copied)
      slots_[store.slot] = slots_[store.reg];  // a copied value has no register of the store's
  } else if (store.flat) {
    slots_[store.slot] = store.data + flat * store.itemsize;
  } else if (in_one_run(store, flat, n)) {
    slots_[store.slot] = store.data + offset_of(store, coords, p_.kernel->shape.size());
  } else {
    slots_[store.slot] = slots_[store.reg];
  }
}

void Context::finish_store(const StoreAccess& store, const std::int64_t* coords, std::int64_t flat,
                           std::int64_t n) {
  void* to = slots_[store.slot];
  if (store.streamed) {
    copies_.stream(n * store.itemsize, store.data + flat * store.itemsize,
                   slots_[store.copied ? store.src : store.slot]);
    return;
  }
  const bool in_memory = store.flat || to != slots_[store.reg];
  if (in_memory) {
    if (store.copied) std::memmove(to, slots_[store.src], static_cast<std::size_t>(n) * store.itemsize);
  } else {
    auto* from = static_cast<std::byte*>(slots_[store.copied ? store.src : store.slot]);
    copy_range<true>(copies_, p_.kernel->shape, store, coords, n, from);
  }
}

void Context::range(std::int64_t flat, std::int64_t n) {
  if (p_.flat) {
    for (const Access& leaf : p_.leaves) slots_[leaf.slot] = leaf.data + flat * leaf.itemsize;
    for (const StoreAccess& store : p_.stores) resolve_store(store, nullptr, flat, n);
    run_steps(n);
    for (const StoreAccess& store : p_.stores) {
      if (store.copied | store.streamed) finish_store(store, nullptr, flat, n);
    }
    return;
  }
  std::int64_t coords[kMaxDims];
  decompose(p_.kernel->shape, flat, coords);
  for (std::size_t i = 0; i < p_.leaves.size(); ++i) resolve_leaf(i, coords, flat, n);
  resolve_made(coords, flat, n, p_.total);
  for (const StoreAccess& store : p_.stores) resolve_store(store, coords, flat, n);
  run_steps(n);
  for (const StoreAccess& store : p_.stores) finish_store(store, coords, flat, n);
}

// -- Pieces of rows

void Context::place_leaf(std::size_t i, std::byte* memory, std::int64_t n, bool whole_row) {
  const Access& leaf = p_.leaves[i];
  if (leaf.made) return;
  if (leaf.run != 0) {
    slots_[leaf.slot] = memory;
    return;
  }
  slots_[leaf.slot] = slots_[leaf.reg];
  // One value for all, or one row for all that fits the register: what it holds serves this piece too.
  if (leaf.period == 0 && leaf.strides[p_.kernel->shape.size() - 1] == 0) {
    if (!holds(i, memory, n)) copies_.fill(leaf.itemsize, n, slots_[leaf.reg], memory);
    return;
  }
  const bool constant = leaf.period == 1 || (whole_row && leaf.period == p_.kernel->shape.back());
  if (constant && filled_[i] >= n) return;
  filled_[i] = constant ? n : 0;
  copies_.tile(leaf.itemsize, {1, n, slots_[leaf.reg], 0, leaf.itemsize, memory, 0,
                               leaf.strides[p_.kernel->shape.size() - 1]});
}

void Context::place_store(const StoreAccess& store, std::byte* memory) {
  if (store.streamed && store.copied) return;
  slots_[store.slot] = store.streamed || store.run == 0 ? slots_[store.reg] : memory;
}

void Context::leave_store(const StoreAccess& store, std::byte* memory, std::int64_t flat, std::int64_t n) {
  const void* from = slots_[store.copied ? store.src : store.slot];
  if (store.streamed) {
    copies_.stream(n * store.itemsize, store.data + flat * store.itemsize, from);
  } else if (store.run == 0) {
    copies_.tile(store.itemsize,
                 {1, n, memory, 0, store.strides[p_.kernel->shape.size() - 1], from, 0, store.itemsize});
  } else if (store.copied) {
    std::memmove(memory, from, static_cast<std::size_t>(n) * store.itemsize);
  }
}

void Context::pieces(std::int64_t first, std::int64_t last, std::int64_t piece) {
  const Dims& shape = p_.kernel->shape;
  const std::size_t inner = shape.size() - 1, leaves = p_.leaves.size(), stores = p_.stores.size();
  const std::int64_t row = shape[inner], per_row = (row + piece - 1) / piece;
  std::int64_t coords[kMaxDims];
  decompose(shape, first / per_row * row, coords);
  SmallVector<std::byte*, 8> starts;  // of the row: leaves, then stores
  for (const Access& leaf : p_.leaves) starts.push_back(leaf.data + offset_of(leaf, coords, inner));
  for (const StoreAccess& store : p_.stores) starts.push_back(store.data + offset_of(store, coords, inner));
  const auto move = [&](std::size_t d, std::int64_t steps) {
    for (std::size_t i = 0; i < leaves; ++i) starts[i] += steps * p_.leaves[i].strides[d];
    for (std::size_t i = 0; i < stores; ++i) starts[leaves + i] += steps * p_.stores[i].strides[d];
  };
  std::int64_t at = first % per_row * piece, flat = first / per_row * row;
  const std::int64_t end = last / per_row * row + last % per_row * piece;
  for (std::int64_t b = first; b < last; ++b) {
    const std::int64_t n = std::min(piece, row - at);
    for (std::size_t i = 0; i < leaves; ++i)
      place_leaf(i, starts[i] + at * p_.leaves[i].strides[inner], n, per_row == 1);
    if (!p_.made.empty()) {
      coords[inner] = at;
      resolve_made(coords, flat + at, n, end);
    }
    for (std::size_t i = 0; i < stores; ++i)
      place_store(p_.stores[i], starts[leaves + i] + at * p_.stores[i].strides[inner]);
    run_steps(n);
    for (std::size_t i = 0; i < stores; ++i)
      leave_store(p_.stores[i], starts[leaves + i] + at * p_.stores[i].strides[inner], flat + at, n);
    at += piece;
    if (at < row || b + 1 == last) continue;
    at = 0;
    flat += row;
    std::size_t d = inner;
    while (d-- > 0) {  // another row begins: there is one, so this ends before d underflows
      move(d, 1);
      if (++coords[d] < shape[d]) break;
      move(d, -coords[d]);
      coords[d] = 0;
    }
  }
}

void Context::tile(const std::int64_t* start, int row_dim, std::int64_t rows, std::int64_t cols) {
  const std::size_t dims = p_.kernel->shape.size();
  for (const Access& leaf : p_.leaves) {
    void* reg = slots_[leaf.slot] = slots_[leaf.reg];
    if (leaf.made) continue;
    copies_.tile(leaf.itemsize,
                 {rows, cols, reg, cols * leaf.itemsize, leaf.itemsize,
                  leaf.data + offset_of(leaf, start, dims), leaf.strides[row_dim], leaf.strides[dims - 1]});
  }
  for (std::size_t i = 0; i < p_.made.size(); ++i) {
    slots_[p_.leaves[p_.made[i].leaf].slot] = ahead_[i].memory;
    make_tile(p_.made[i].from, start, dims, row_dim, rows, cols, ahead_[i].memory);
  }
  for (const StoreAccess& store : p_.stores) slots_[store.slot] = slots_[store.reg];
  run_steps(rows * cols);
  for (const StoreAccess& store : p_.stores) {
    const void* reg = slots_[store.copied ? store.src : store.slot];
    copies_.tile(store.itemsize,
                 {rows, cols, store.data + offset_of(store, start, dims), store.strides[row_dim],
                  store.strides[dims - 1], reg, cols * store.itemsize, store.itemsize});
  }
}

}  // namespace cuprum::cpu
