// Running a fused kernel: tier 1 or 2 when it is compiled, else tier 0 while the compiler works.
#include <algorithm>
#include <array>
#include <string>

#include "backend/cuda/context.h"
#include "backend/cuda/driver.h"
#include "codegen/arguments.h"
#include "cuprum/error.h"
#include "jit/kernels.h"
#include "jit/prepared.h"
#include "jit/workspace.h"
#include "runtime/debug.h"

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

void launch(Context& context, const Kernel& kernel, const Plan& plan, CUfunction function) {
  static thread_local ArgumentBuffer arguments;
  const auto bytes = partial_bytes(plan.shape, static_cast<int>(plan.reductions.size()));
  Workspace workspace;
  const auto start = [&] {
    pack_arguments(kernel, plan, workspace, arguments);
    void* parameters[] = {arguments.data()};
    check(driver().cuLaunchKernel(function, plan.grid_x, plan.grid_y, 1, device::kBlock, 1, 1, 0,
                                  reinterpret_cast<CUstream>(context.stream), parameters, nullptr),
          "a fused kernel");
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
    if (!prepared.function[i])
      check(driver().cuKernelGetFunction(&prepared.function[i], compiled.kernel),
            "loading a generated kernel");
  }
  for (std::size_t i = 0; i < prepared.count; ++i)
    launch(context, kernel, prepared.plan[i], prepared.function[i]);
}

void compile_epilogue(Context& context, const Kernel& kernel) {
  for (const Kernel& epilogue : kernel.epilogue) {
    if (!is_empty(epilogue) && !reduces_nothing(epilogue)) prepare(context, epilogue);
    compile_epilogue(context, epilogue);
  }
}

/// True when the epilogue has run as well: the interpreter takes a kernel as a whole.
bool run_kernel(Context& context, const Kernel& kernel) {
  const TierChoice choice = tier_choice();
  if (choice == TierChoice::interpreted && run_bytecode(context, kernel)) return true;
  Prepared& prepared = prepare(context, kernel);
  if (choice == TierChoice::automatic && !prepared.ready() && run_bytecode(context, kernel)) {
    compile_epilogue(context, kernel);
    return true;
  }
  launch_all(context, kernel, prepared);
  return false;
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

Tier tier(const DeviceFacts& facts, const Kernel& kernel) {
  if (!is_empty(kernel) && reduces_nothing(kernel)) return tier(facts, identities(kernel));
  Tier result = Tier::from_disk;
  if (!is_empty(kernel)) {
    const bool asked = tier_choice() == TierChoice::interpreted;
    const int compiled = asked ? 0 : tier_of(kernel, facts.architecture);
    if (compiled == 0 && can_interpret(facts, kernel)) return Tier::interpreted;
    if (compiled != 2) result = Tier::compiled;
  }
  for (const Kernel& epilogue : kernel.epilogue) result = std::min(result, tier(facts, epilogue));
  return result;
}

void run(Context& context, const Kernel& kernel) {
  if (!is_empty(kernel)) {
    if (reduces_nothing(kernel)) {
      run_kernel(context, identities(kernel));
    } else if (run_kernel(context, kernel)) {
      return;
    }
  }
  for (const Kernel& epilogue : kernel.epilogue) run(context, epilogue);
}

}  // namespace cuprum::cuda
