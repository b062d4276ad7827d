// Kernels for tests of the code generator, written down in a few words each.
#pragma once

#include <cstring>
#include <initializer_list>

#include "core/op_signatures.h"
#include "runtime/program.h"

namespace cuprum::test {

/// Builds a kernel register by register. Addresses are made up: nothing here is run.
class KernelBuilder {
 public:
  explicit KernelBuilder(Dims shape) { kernel.shape = std::move(shape); }

  std::uint16_t leaf(dtype type, Dims strides, std::uintptr_t address = 0) {
    kernel.leaves.push_back({pointer(address), type, std::move(strides)});
    return static_cast<std::uint16_t>(kernel.leaves.size() - 1);
  }
  /// A leaf that is contiguous in C order.
  std::uint16_t leaf(dtype type) { return leaf(type, contiguous(type)); }

  /// Elements of a table of `extent`, whose strides are of the kernel, by an index with strides of the kernel too; `step`: bytes of the
  /// table from index to index.
  std::uint16_t gather(dtype type, Dims table, Dims index, std::int64_t extent, std::int64_t step,
                       dtype index_type = dtype::int64) {
    const std::uint16_t made = leaf(type, std::move(table));
    const View of{pointer(0), index_type, kernel.shape, index, {}};
    kernel.gathers.push_back({made, of, std::move(index), extent, step, false, {}});
    return made;
  }

  /// Numbers of a law, which lie so in the array of all of them; `first`: that of the first element.
  std::uint16_t draw(dtype type, Dims strides, Draw draw, std::int64_t first = 0) {
    const std::uint16_t made = leaf(type, std::move(strides));
    kernel.leaves.back().data = Place(nullptr, first * static_cast<std::int64_t>(itemsize(type)));
    kernel.draws.push_back({made, std::move(draw)});
    return made;
  }

  template <class T>
  std::uint16_t scalar(dtype type, T value) {
    kernel.scalars.push_back(Scalar::of(type, value));
    return static_cast<std::uint16_t>(kScalars + kernel.scalars.size() - 1);
  }
  std::uint16_t apply(Op op, dtype key, dtype out, std::initializer_list<std::uint16_t> sources) {
    Instr instr;
    std::memset(static_cast<void*>(&instr), 0, sizeof instr);
    instr.op = op;
    instr.key = key;
    instr.out = out;
    for (std::uint16_t source : sources) instr.src[instr.nsrc++] = source;
    kernel.code.push_back(instr);
    return static_cast<std::uint16_t>(kCode + kernel.code.size() - 1);
  }
  std::uint16_t apply(Op op, dtype key, std::initializer_list<std::uint16_t> sources) {
    return apply(op, key, output_type(op, key), sources);
  }
  std::uint16_t cast(std::uint16_t source, dtype from, dtype to) {
    return apply(Op::cast, from, to, {source});
  }

  void store(std::uint16_t source, dtype type, Dims strides, std::uintptr_t address = 0) {
    kernel.stores.push_back({pointer(address), type, std::move(strides), source});
  }
  void store(std::uint16_t source, dtype type) { store(source, type, contiguous(type)); }

  Reduction& reduce(ReduceOp op, std::uint16_t source, dtype type, dtype out, std::uint64_t axes) {
    kernel.reduced = axes;
    Reduction r;
    r.op = op;
    r.type = type;
    r.out = out;
    r.data = pointer(0);
    r.src = source;
    r.strides.resize(kernel.shape.size(), 0);
    r.arg_weights.resize(kernel.shape.size(), 0);
    std::int64_t weight = 1, stride = static_cast<std::int64_t>(itemsize(out));
    for (std::size_t d = kernel.shape.size(); d-- > 0;) {
      std::int64_t& step = axes >> d & 1 ? weight : stride;
      (axes >> d & 1 ? r.arg_weights : r.strides)[d] = step;
      step *= kernel.shape[d];
    }
    kernel.reductions.push_back(std::move(r));
    return kernel.reductions.back();
  }

  /// What was added since the last call is a stage.
  void stage() {
    kernel.stages.push_back({static_cast<std::uint16_t>(kernel.code.size()),
                             static_cast<std::uint16_t>(kernel.stores.size()),
                             static_cast<std::uint16_t>(kernel.reductions.size())});
  }
  /// The register of the last reduction's result.
  std::uint16_t result() const { return static_cast<std::uint16_t>(kResults + kernel.reductions.size() - 1); }
  /// A row value, stored once per row.
  void store_row(std::uint16_t source, dtype type) {
    Dims strides(kernel.shape.size(), 0);
    auto next = static_cast<std::int64_t>(itemsize(type));
    for (std::size_t d = kernel.shape.size(); d-- > 0;) {
      if (kernel.reduced >> d & 1) continue;
      strides[d] = next;
      next *= kernel.shape[d];
    }
    store(source, type, std::move(strides));
    kernel.stores.back().row = true;
  }

  /// Makes the numbers of registers dense, as the engine does.
  Kernel& done() {
    const auto leaves = static_cast<std::uint16_t>(kernel.leaves.size());
    const auto scalars = static_cast<std::uint16_t>(kernel.scalars.size());
    const auto dense = [&](std::uint16_t& r) {
      if (r >= kResults) {
        r = static_cast<std::uint16_t>(r - kResults + leaves + scalars + kernel.code.size());
      } else if (r >= kCode) {
        r = static_cast<std::uint16_t>(r - kCode + leaves + scalars);
      } else if (r >= kScalars) {
        r = static_cast<std::uint16_t>(r - kScalars + leaves);
      }
    };
    for (Instr& i : kernel.code) {
      for (int s = 0; s < i.nsrc; ++s) dense(i.src[s]);
    }
    for (Store& s : kernel.stores) dense(s.src);
    for (Reduction& r : kernel.reductions) dense(r.src);
    return kernel;
  }

  Dims contiguous(dtype type) const {
    return contiguous_strides(kernel.shape, static_cast<std::int64_t>(itemsize(type)));
  }

  Kernel kernel;

 private:
  static constexpr std::uint16_t kScalars = 0x4000, kCode = 0x8000, kResults = 0xc000;

  /// Every operand has memory of its own, aligned to 256 bytes, unless `address` says something else.
  std::byte* pointer(std::uintptr_t address) {
    next_ += std::uintptr_t{1} << 36;
    return reinterpret_cast<std::byte*>(next_ + address);
  }

  std::uintptr_t next_ = 0;
};

}  // namespace cuprum::test
