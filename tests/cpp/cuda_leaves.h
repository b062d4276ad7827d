// Kernels that read leaves through indices, or draw them, beside the same kernels whose leaves lie in memory: the bits that they give on
// the host, without a GPU. And what is written for them is compiled with NVRTC.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>
#include <set>

#include "codegen/key.h"
#include "core/cast.h"
#include "core/random_bits.h"
#include "cuda_emulator.h"
#include "cuda_kernels.h"
#include "jit/compiler.h"
#include "jit/nvrtc.h"
#include "operand_memory.h"
#include "runtime/backend.h"

namespace cuprum::cuda {

using test::KernelBuilder;

/// Calls f(offset of a, offset of b) for every element of a space, in C order.
template <class F>
void each_pair(const Dims& shape, const Dims& a, const Dims& b, F f) {
  Dims at(shape.size());
  for (;;) {
    std::int64_t in_a = 0, in_b = 0;
    for (std::size_t d = 0; d < at.size(); ++d) {
      in_a += at[d] * a[d];
      in_b += at[d] * b[d];
    }
    f(in_a, in_b);
    std::size_t d = shape.size();
    while (d > 0 && ++at[d - 1] == shape[d - 1]) at[--d] = 0;
    if (d == 0) return;
  }
}

class CudaLeaves : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!Emulator::get().works()) GTEST_SKIP() << "no C++ compiler at run time";
  }

  /// With leaves that are made and with the same in memory; every other kernel with 64-bit indices.
  void check(Kernel kernel, std::int64_t misaligned = 0) {
    Memory memory;
    fill(kernel, misaligned, memory);
    const Kernel plain = in_memory(kernel, memory);
    const bool wide = checks_++ % 2;
    const Options options{.wide = wide, .backwards = wide};
    const auto wanted = written(plain, misaligned, options), got = written(kernel, misaligned, options);
    ASSERT_EQ(wanted, got) << "shape " << to_string(kernel.shape) << (wide ? ", wide" : "");
    collect(kernel);
  }

  void fill(Kernel& kernel, std::int64_t misaligned, Memory& memory) {
    for (std::size_t i = 0; i < kernel.leaves.size(); ++i) {
      if (drawn(kernel, i)) continue;
      Leaf& leaf = kernel.leaves[i];
      const Gathered* g = gathered(kernel, i);
      Dims shape = kernel.shape, strides = leaf.strides;
      if (g) {
        shape.push_back(g->extent);
        strides.push_back(g->step);
      }
      leaf.data =
          memory.make(shape, strides, misaligned * static_cast<std::int64_t>(alignment_of(leaf.type)));
      const dtype part = real_type(leaf.type);
      each_pair(shape, strides, strides, [&](std::int64_t at, std::int64_t) {
        for (std::size_t k = 0; k < itemsize(leaf.type); k += itemsize(part))
          std::memcpy(leaf.data.address() + at + k, random_value(part).bytes, itemsize(part));
      });
    }
    for (Gathered& g : kernel.gathers) {
      const auto size = static_cast<std::int64_t>(itemsize(g.index.type));
      g.index.data = memory.make(kernel.shape, g.strides, misaligned * size);
      each_pair(kernel.shape, g.strides, g.strides, [&](std::int64_t at, std::int64_t) {
        auto index = static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(g.extent));
        if (is_signed_integer(g.index.type) && random_() % 3 == 0) index -= g.extent;
        const Scalar value = cast_scalar(Scalar::of(dtype::int64, index), g.index.type);
        std::memcpy(g.index.data.address() + at, value.bytes, static_cast<std::size_t>(size));
      });
    }
  }

  Scalar random_value(dtype t) {
    std::normal_distribution<double> normal(1, 3);
    const double value = normal(random_);
    return cast_scalar(Scalar::of(dtype::float64, is_bool(t)      ? value > 0
                                                  : is_integer(t) ? std::fabs(std::round(value))
                                                                  : value),
                       t);
  }

  /// The same kernel, whose leaves were made before.
  static Kernel in_memory(const Kernel& kernel, Memory& memory) {
    Kernel plain = kernel;
    for (const Gathered& g : kernel.gathers) {
      Leaf& leaf = plain.leaves[g.leaf];
      const Dims table = leaf.strides;
      const std::byte* from = leaf.data.address();
      leaf.strides = contiguous_strides(kernel.shape, static_cast<std::int64_t>(itemsize(leaf.type)));
      leaf.data = memory.make(kernel.shape, leaf.strides, 0);
      const std::vector<std::int64_t> indices = indices_of(kernel, g);
      std::size_t n = 0;
      each_pair(kernel.shape, table, leaf.strides, [&](std::int64_t at, std::int64_t to) {
        const std::int64_t index = indices[n++];
        const bool bad = index < -g.extent || index >= g.extent;
        std::memset(leaf.data.address() + to, 0, itemsize(leaf.type));
        if (!bad)
          std::memcpy(leaf.data.address() + to, from + at + (index < 0 ? index + g.extent : index) * g.step,
                      itemsize(leaf.type));
      });
    }
    plain.gathers.clear();
    for (const Drawn& d : kernel.draws) {
      Leaf& leaf = plain.leaves[d.leaf];
      const auto size = static_cast<std::int64_t>(itemsize(leaf.type));
      const std::int64_t first = leaf.data.address() - static_cast<std::byte*>(nullptr);
      std::int64_t last = first;
      for (std::size_t k = 0; k < kernel.shape.size(); ++k)
        last += std::max<std::int64_t>(0, (kernel.shape[k] - 1) * leaf.strides[k]);
      const View all{memory.make({last / size + 1}, {size}, 0), leaf.type, {last / size + 1}, {size}, {}};
      cpu_backend().call(cpu_backend().first_stream(), {Primitive(d.draw), {}, {&all, 1}});
      leaf.data = all.data.address() + first;
    }
    plain.draws.clear();
    return plain;
  }

  static std::vector<std::int64_t> indices_of(const Kernel& kernel, const Gathered& g) {
    std::vector<std::int64_t> indices;
    each_pair(kernel.shape, g.strides, g.strides, [&](std::int64_t at, std::int64_t) {
      Scalar value;
      value.type = g.index.type;
      std::memcpy(value.bytes, g.index.data.address() + at, itemsize(value.type));
      std::int64_t index;
      std::memcpy(&index, cast_scalar(value, dtype::int64).bytes, sizeof index);
      indices.push_back(index);
    });
    return indices;
  }

  /// What the kernel writes, output by output.
  static std::vector<std::string> written(Kernel kernel, std::int64_t misaligned, const Options& options) {
    Memory memory;
    std::vector<std::pair<std::byte*, std::size_t>> outputs;
    const auto give = [&](dtype type, const Dims& strides) {
      std::byte* data =
          memory.make(kernel.shape, strides, misaligned * static_cast<std::int64_t>(alignment_of(type)));
      std::size_t bytes = itemsize(type);
      for (std::size_t d = 0; d < strides.size(); ++d)
        bytes += static_cast<std::size_t>((kernel.shape[d] - 1) * strides[d]);
      outputs.emplace_back(data, bytes);
      return data;
    };
    for (Store& store : kernel.stores) store.data = give(store.type, store.strides);
    for (Reduction& r : kernel.reductions) {
      if (!r.data) continue;
      Dims strides = r.strides;
      for (std::size_t d = 0; d < strides.size(); ++d) {
        if (kernel.reduced >> d & 1) strides[d] = 0;
      }
      r.data = give(r.out, strides);
    }
    if (kernel.stages.empty()) {
      run_emulated(kernel, options);
    } else if (!run_row_program(kernel, options)) {
      run_split(kernel, options);
    }
    std::vector<std::string> texts;
    for (const auto& [data, bytes] : outputs) texts.emplace_back(reinterpret_cast<const char*>(data), bytes);
    return texts;
  }

  void collect(const Kernel& kernel) {
    static ArgumentBuffer buffer;
    const auto add = [&](const Kernel& part, const Plan& plan) {
      pack_arguments(part, plan, workspace_of(part, {}), buffer);
      const std::size_t size = (buffer.size() + 7) / 8 * 8;
      sources_.insert(make_source(part, plan) + "static_assert(sizeof(Params) == " + std::to_string(size) +
                      ");\n");
    };
    if (!kernel.stages.empty()) {
      Plan plan;
      if (make_row_plan(kernel, true, plan)) return add(kernel, plan);
      for (const Kernel& part : split(kernel).kernels) collect(part);
      return;
    }
    const auto passes = passes_of(kernel);
    for (const Pass pass : passes) {
      Plan plan;
      make_plan(kernel, pass, pass == passes.back(), plan);
      add(kernel, plan);
    }
  }

  void TearDown() override {
    try {
      nvrtc_version();
    } catch (const std::exception&) {
      return;  // not here
    }
    for (const std::string& source : sources_) {
      const Compilation result = compile(source, target_for(90));
      EXPECT_FALSE(result.image.empty()) << result.log << "\n" << source;
    }
  }

  std::mt19937_64 random_{7};
  std::set<std::string> sources_;
  int checks_ = 0;
};

}  // namespace cuprum::cuda
