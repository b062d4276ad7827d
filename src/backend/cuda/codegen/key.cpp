#include "codegen/key.h"

#include <cstring>

#include "codegen/draws.h"

namespace cuprum::cuda {

namespace {

void add_dimensions(const Plan& plan, Key& key) {
  const unsigned flags = (plan.wide ? 1u : 0u) | (plan.whole ? 2u : 0u) | (plan.single_row ? 4u : 0u) |
                         (plan.straddles ? 8u : 0u) | (plan.stores ? 16u : 0u) |
                         (plan.interleaved ? 32u : 0u) | (plan.full ? 64u : 0u);
  key.byte(static_cast<unsigned>(plan.form));
  key.byte(flags);
  key.byte(plan.vector);
  key.byte(plan.unroll);
  for (const DimList* list : {&plan.outer, &plan.major, &plan.inner, &plan.kept}) {
    key.byte(static_cast<unsigned>(list->size()));
  }
  // Which strides are 0, by list and position in it: what the dimensions are called does not matter.
  key.word(static_cast<unsigned>(plan.layouts.size()));
  for (std::size_t l = 0; l < plan.layouts.size(); ++l) {
    key.byte(inner_stride_class(plan, l));
    unsigned bits = 0, count = 0;
    for (const DimList* list : {&plan.outer, &plan.major, &plan.inner}) {
      for (const std::uint8_t d : *list) {
        bits |= ((*plan.layouts[l])[d] != 0 ? 1u : 0u) << count;
        if (++count < 8) continue;
        key.byte(bits);
        bits = count = 0;
      }
    }
    key.byte(bits);
  }
}

void add_operands(const Kernel& kernel, const Plan& plan, Key& key) {
  key.word(static_cast<unsigned>(kernel.leaves.size()));
  for (std::size_t i = 0; i < kernel.leaves.size(); ++i) {
    key.byte(static_cast<unsigned>(kernel.leaves[i].type));
    key.word(plan.layout_of[i]);
    key.byte(static_cast<unsigned>(plan.access_of[i]) | (plan.turned.empty() ? 0u : plan.turned[i] * 16u));
  }
  key.byte(static_cast<unsigned>(kernel.gathers.size()));
  for (std::size_t g = 0; g < kernel.gathers.size(); ++g) {
    key.word(kernel.gathers[g].leaf);
    key.byte(static_cast<unsigned>(kernel.gathers[g].index.type));
    key.word(plan.layout_of[index_operand(kernel, g)]);
    key.byte(static_cast<unsigned>(plan.access_of[index_operand(kernel, g)]));
  }
  key.byte(static_cast<unsigned>(kernel.draws.size()));
  for (const Drawn& d : kernel.draws) {
    const std::uint32_t structure = draw_structure(d.draw, kernel.leaves[d.leaf].type);
    key.word(d.leaf);
    key.word(structure & 0xffff);
    key.word(structure >> 16);
  }
  if (!plan.stores) return;
  key.byte(static_cast<unsigned>(kernel.stores.size()));
  for (std::size_t i = 0; i < kernel.stores.size(); ++i) {
    key.byte(static_cast<unsigned>(kernel.stores[i].type));
    key.word(plan.layout_of[kernel.leaves.size() + i]);
    key.byte(static_cast<unsigned>(plan.access_of[kernel.leaves.size() + i]));
    key.word(kernel.stores[i].src);
    if (!kernel.stages.empty()) key.byte(kernel.stores[i].row);
  }
}

void add_code(const Kernel& kernel, Key& key) {
  key.word(static_cast<unsigned>(kernel.scalars.size()));
  for (const Scalar& scalar : kernel.scalars) key.byte(static_cast<unsigned>(scalar.type));
  key.word(static_cast<unsigned>(kernel.code.size()));
  for (const Instr& i : kernel.code) {
    key.word(static_cast<unsigned>(i.op));
    key.byte(static_cast<unsigned>(i.key));
    key.byte(static_cast<unsigned>(i.out));
    for (int k = 0; k < i.nsrc; ++k) key.word(i.src[k]);
  }
}

void add_reductions(const Kernel& kernel, const Plan& plan, Key& key) {
  key.byte(static_cast<unsigned>(plan.reductions.size()));
  for (std::size_t i = 0; i < plan.reductions.size(); ++i) {
    const Reduction& r = kernel.reductions[plan.reductions[i]];
    key.byte(static_cast<unsigned>(r.op));
    if (r.op == ReduceOp::generic || r.op == ReduceOp::user) key.word(static_cast<unsigned>(r.fold));
    key.byte(static_cast<unsigned>(r.type));
    key.byte(static_cast<unsigned>(r.out));
    key.word(r.src);
    key.byte((plan.dense[i] ? 1u : 0u) | (plan.ordered[i] ? 2u : 0u) | (r.data ? 4u : 0u));
  }
}

void add_stages(const Kernel& kernel, const Plan& plan, Key& key) {
  key.byte(plan.items);
  key.byte(plan.memory_items);
  key.byte(plan.blocks_each);
  key.word(plan.part_bytes);
  key.word(plan.state_bytes);
  for (const Stage& stage : kernel.stages) {
    key.word(stage.code);
    key.word(stage.stores);
    key.word(stage.reductions);
  }
}

}  // namespace

/// Eight bytes at a time: multiply and fold, as good as a table of a few thousand kernels needs.
std::uint64_t Key::hash() const {
  constexpr std::uint64_t prime = 0x9e3779b97f4a7c15u;
  std::uint64_t h = bytes_.size() * prime;
  std::size_t i = 0;
  for (; i + 8 <= bytes_.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes_.data() + i, 8);
    h = (h ^ word) * prime;
    h ^= h >> 29;
  }
  for (; i < bytes_.size(); ++i) h = (h ^ static_cast<unsigned char>(bytes_[i])) * prime;
  return h ^ (h >> 32);
}

void make_key(const Kernel& kernel, const Plan& plan, Key& key) {
  key.clear();
  add_dimensions(plan, key);
  add_operands(kernel, plan, key);
  add_code(kernel, key);
  add_reductions(kernel, plan, key);
  if (is_row_program(plan.form)) add_stages(kernel, plan, key);
}

}  // namespace cuprum::cuda
