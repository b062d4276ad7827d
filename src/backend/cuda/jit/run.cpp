// Running a fused kernel: tier 1 or 2 when it is compiled, else tier 0 while the compiler works.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "backend/cuda/context.h"
#include "backend/cuda/driver.h"
#include "backend/cuda/primitives/common/faults.h"
#include "backend/cuda/primitives/random/draw.h"
#include "codegen/arguments.h"
#include "codegen/row_plan.h"
#include "cuprum/error.h"
#include "jit/kernels.h"
#include "jit/leaves_in_memory.h"
#include "jit/prepared.h"
#include "jit/workspace.h"
#include "runtime/debug.h"
#include "runtime/stages.h"

namespace cuprum::cuda {

namespace {

/// The kernel that writes what reductions of no elements give.
Kernel identities(const Kernel& kernel) {
  Kernel fill;
  const auto kept = [&](const Dims& dims) {
    Dims result;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      if (!(kernel.reduced >> d & 1)) result.push_back(dims[d]);
    }
    return result;
  };
  fill.shape = kept(kernel.shape);
  for (const Reduction& r : kernel.reductions) {
    const auto reg = static_cast<std::uint16_t>(fill.scalars.size());
    fill.scalars.push_back(identity_value(r));
    fill.stores.push_back({r.data, r.out, kept(r.strides), reg});
  }
  return fill;
}

/// "a fused kernel (sin, multiply; 1 reduction)", for the message of a fault.
std::string description(const Kernel& kernel) {
  std::string text = "a fused kernel (";
  for (std::size_t i = 0; i < kernel.code.size() && i < 8; ++i) {
    if (i != 0) text += ", ";
    text += info(kernel.code[i].op).name;
  }
  if (kernel.code.size() > 8) text += ", ...";
  if (!kernel.reductions.empty()) {
    text += "; ";
    text += std::to_string(kernel.reductions.size());
    text += kernel.reductions.size() == 1 ? " reduction" : " reductions";
  }
  return text + ")";
}

void start_kernel(Context& context, const Plan& plan, CUfunction function, void** parameters) {
  const auto stream = reinterpret_cast<CUstream>(context.stream);
  if (plan.form != Form::row_cluster) {
    check(driver().cuLaunchKernel(function, plan.grid_x, plan.grid_y, 1, device::kBlock, 1, 1, plan.shared,
                                  stream, parameters, nullptr),
          "a fused kernel");
    return;
  }
  CUlaunchAttribute cluster{};
  cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  cluster.value.clusterDim = {static_cast<unsigned>(plan.cluster), 1, 1};
  const CUlaunchConfig config{plan.grid_x, 1, 1, device::kBlock, 1, 1, plan.shared, stream, &cluster, 1};
  check(driver().cuLaunchKernelEx(&config, function, parameters, nullptr), "a row program");
}

/// What the driver must know of a row program before it is launched: that clusters have more than 8 blocks, and how much memory
/// a block may ask for.
void allow(CUfunction function, const Plan& plan) {
  if (plan.form == Form::row_cluster)
    check(driver().cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1),
          "a row program's cluster");
  if (plan.shared != 0) {
    check(driver().cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                      most_shared(plan)),
          "a row program's memory");
  }
}

void launch(Context& context, const Kernel& kernel, const Plan& plan, CUfunction function) {
  static thread_local ArgumentBuffer arguments;
  const auto bytes = partial_bytes(plan.shape, static_cast<int>(plan.reductions.size()));
  Workspace workspace;
  for (const Gathered& g : kernel.gathers) workspace.told.push_back(fault_record(context, g.site.told()));
  if (!kernel.draws.empty()) workspace.log1p = log1p_forms();
  const auto start = [&] {
    pack_arguments(kernel, plan, workspace, arguments);
    void* parameters[] = {arguments.data()};
    start_kernel(context, plan, function, parameters);
    if (debugging()) launched(context, description(kernel).c_str());
  };
  if (bytes == 0) return start();
  const Scratch scratch(context, static_cast<std::size_t>(bytes));
  workspace.partials = scratch.get<char>();
  workspace.tickets = tickets(context);
  start();
}

void launch_all(Context& context, const Kernel& kernel, Prepared& prepared) {
  for (std::size_t i = 0; i < prepared.count; ++i) {
    CompiledKernel& compiled = *prepared.compiled[i];
    if (compiled.stage.load(std::memory_order_acquire) == Stage::waiting) {
      {
        const Waiting others_hand_over(context);
        wait_for(compiled);
      }
      return launch_all(context, kernel,
                        prepare(context, kernel));  // who came between may have prepared another
    }
    if (compiled.stage.load(std::memory_order_acquire) == Stage::failed) throw Error(compiled.problem);
    if (prepared.function[i]) continue;
    check(driver().cuKernelGetFunction(&prepared.function[i], compiled.kernel), "loading a generated kernel");
    if (is_row_program(prepared.plan[i].form)) allow(prepared.function[i], prepared.plan[i]);
  }
  for (std::size_t i = 0; i < prepared.count; ++i)
    launch(context, kernel, prepared.plan[i], prepared.function[i]);
}

/// More leaves than these are made in memory. The text of a kernel has each generator as often as it draws, some 300 instructions; and
/// each leaf takes 50 to 150 of the 32764 bytes that a kernel is given.
constexpr std::size_t kMostDraws = 16, kMostGathers = 64;

bool makes_too_much(const Kernel& kernel) {
  return kernel.draws.size() > kMostDraws || kernel.gathers.size() > kMostGathers;
}

/// By the interpreter, where it knows the kernel.
bool interpret(Context& context, const Kernel& kernel) {
  if (has_plain_leaves(kernel)) return run_bytecode(context, kernel);
  if (!can_interpret(context, with_plain_leaves(kernel))) return false;
  return run_bytecode(context, LeavesInMemory(context, kernel).kernel());
}

void run_kernel(Context& context, const Kernel& kernel) {
  const TierChoice choice = tier_choice();
  if (choice == TierChoice::interpreted && interpret(context, kernel)) return;
  Prepared& prepared = prepare(context, kernel);
  if (choice == TierChoice::automatic && !prepared.ready() && interpret(context, kernel)) return;
  launch_all(context, kernel, prepared);
}

/// A kernel of several stages as kernels of one stage each. `interpreted`: by the interpreter where it can, for the compiler
/// is at work on the whole.
void run_split(Context& context, const Kernel& kernel, bool interpreted) {
  Split parts = split(kernel);
  std::vector<Scratch> scratch;
  scratch.reserve(parts.crossings.size());
  for (std::size_t i = 0; i < parts.crossings.size(); ++i) {
    scratch.emplace_back(context, parts.crossings[i].bytes);
    parts.place(i, scratch.back().get());
  }
  for (const Kernel& part : parts.kernels) {
    if (!interpreted || !interpret(context, part)) run(context, part);
  }
}

void run_stages(Context& context, const Kernel& kernel) {
  const TierChoice choice = tier_choice();
  if (choice == TierChoice::interpreted) return run_split(context, kernel, false);
  Prepared& prepared = prepare(context, kernel);
  if (prepared.count == 0) return run_split(context, kernel, false);
  if (choice == TierChoice::automatic && !prepared.ready()) return run_split(context, kernel, true);
  launch_all(context, kernel, prepared);
}

}  // namespace

std::uint32_t* tickets(Context& context) {
  if (!context.tickets) {
    void* memory = nullptr;
    check(cudaMalloc(&memory, kMaxTickets * sizeof(std::uint32_t)), "cudaMalloc");
    check(cudaMemsetAsync(memory, 0, kMaxTickets * sizeof(std::uint32_t), context.stream), "cudaMemsetAsync");
    context.tickets = static_cast<std::uint32_t*>(memory);
  }
  return context.tickets;
}

namespace {

Tier tier_of_stages(const DeviceFacts& facts, const Kernel& kernel) {
  Plan plan;
  if (tier_choice() != TierChoice::interpreted &&
      make_row_plan(kernel, has_clusters(facts.architecture), plan)) {
    const int compiled = tier_of(kernel, facts.architecture);
    if (compiled != 0) return compiled == 2 ? Tier::from_disk : Tier::compiled;
  }
  Tier result = Tier::from_disk;
  for (const Kernel& part : split(kernel).kernels) result = std::min(result, tier(facts, part));
  return result;
}

}  // namespace

Tier tier(const DeviceFacts& facts, const Kernel& kernel) {
  if (makes_too_much(kernel)) return tier(facts, with_plain_leaves(kernel));
  if (!kernel.stages.empty()) return tier_of_stages(facts, kernel);
  if (is_empty(kernel)) return Tier::from_disk;
  if (reduces_nothing(kernel)) return tier(facts, identities(kernel));
  const bool asked = tier_choice() == TierChoice::interpreted;
  const int compiled = asked ? 0 : tier_of(kernel, facts.architecture);
  if (compiled == 0 && can_interpret(facts, with_plain_leaves(kernel))) return Tier::interpreted;
  return compiled == 2 ? Tier::from_disk : Tier::compiled;
}

void run(Context& context, const Kernel& kernel) {
  if (makes_too_much(kernel)) return run(context, LeavesInMemory(context, kernel).kernel());
  if (!kernel.stages.empty()) return run_stages(context, kernel);
  if (is_empty(kernel)) return;
  if (reduces_nothing(kernel)) return run_kernel(context, identities(kernel));
  run_kernel(context, kernel);
}

}  // namespace cuprum::cuda
