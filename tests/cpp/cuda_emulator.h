// Generated kernels on the host: the C++ compiler at hand compiles their source against cuda_on_host.h, at run time.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>

#include "codegen/arguments.h"
#include "codegen/row_plan.h"
#include "codegen/source.h"
#include "runtime/stages.h"
#include "temporary_folder.h"

namespace cuprum::cuda {

using Launch = void (*)(const void* argument, unsigned x, unsigned y, bool backwards, int cluster);

class Emulator {
 public:
  static Emulator& get() {
    static Emulator emulator;
    return emulator;
  }

  bool works() const { return works_; }

  Launch compile(const std::string& source) {
    Launch& launch = compiled_[source];
    if (!launch) launch = compile_new(source);
    return launch;
  }

 private:
  Emulator() = default;

  Launch compile_new(const std::string& source) const {
    const std::string base = folder_ / ("kernel" + std::to_string(compiled_.size()));
    std::ofstream(base + ".cpp")
        << "#include \"cuda_on_host.h\"\n"
        << source
        << "extern \"C\" __attribute__((visibility(\"default\"))) void launch(const "
           "void* argument, unsigned x, unsigned y, bool "
           "backwards, int cluster) {\n  const Params& p = *static_cast<const Params*>(argument);\n"
           "  cuprum::testing::run_grid(x, y, 256, [&] { cuprum_kernel(p); }, backwards, cluster);\n}\n";
    const std::string root = CUPRUM_SOURCE_DIR;
    const std::string command =
        CUPRUM_CXX_COMPILER
        " -std=c++20 -O1 -w -fPIC -shared -fvisibility=hidden -fno-strict-aliasing -ffp-contract=off -I" +
        root + "/src -I" + root + "/src/backend/cuda -I" + root + "/tests/cpp " + base + ".cpp -o " + base +
        ".so";
    if (std::system(command.c_str()) != 0) throw std::runtime_error("does not compile:\n" + source);
    void* library = dlopen((base + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) throw std::runtime_error(dlerror());
    return reinterpret_cast<Launch>(dlsym(library, "launch"));
  }

  const bool works_ = std::system(CUPRUM_CXX_COMPILER " --version > /dev/null 2>&1") == 0;
  const testing_support::TemporaryFolder folder_;
  std::map<std::string, Launch> compiled_;
};

struct Options {
  bool wide = false;                    // 64-bit indices
  bool backwards = false;               // blocks in reverse order
  device::FaultRecord* told = nullptr;  // of bad indices
};

inline Workspace workspace_of(const Kernel& kernel, const Options& options, char* partials = nullptr,
                              std::uint32_t* tickets = nullptr) {
  Workspace workspace{partials, tickets, {}, {}};
  workspace.log1p = {kernels::random::Log1p::fused, kernels::random::Log1p::separate};
  workspace.told.resize(kernel.gathers.size(), options.told);
  return workspace;
}

inline void run_emulated(const Kernel& kernel, const Options& options = {}) {
  static std::uint32_t tickets[kMaxTickets] = {};
  static ArgumentBuffer buffer;
  const auto passes = passes_of(kernel);
  for (const Pass pass : passes) {
    Plan plan;
    make_plan(kernel, pass, pass == passes.back(), plan);
    plan.wide |= options.wide;
    const auto partials =
        static_cast<std::size_t>(partial_bytes(plan.shape, static_cast<int>(plan.reductions.size())));
    const auto scratch = std::make_unique<char[]>(partials + 1);
    pack_arguments(kernel, plan, workspace_of(kernel, options, scratch.get(), tickets), buffer);
    Emulator::get().compile(make_source(kernel, plan))(buffer.data(), plan.grid_x, plan.grid_y,
                                                       options.backwards, 1);
    for (const std::uint32_t ticket : tickets) ASSERT_EQ(ticket, 0u);
  }
}

/// A kernel of several stages as one launch; false where it has no plan as such.
inline bool run_row_program(const Kernel& kernel, const Options& options = {}) {
  static ArgumentBuffer buffer;
  Plan plan;
  if (!make_row_plan(kernel, true, plan)) return false;
  plan.wide |= options.wide;
  pack_arguments(kernel, plan, workspace_of(kernel, options), buffer);
  Emulator::get().compile(make_source(kernel, plan))(buffer.data(), plan.grid_x, plan.grid_y,
                                                     options.backwards, plan.cluster);
  return true;
}

/// The same as kernels of one stage each.
inline void run_split(const Kernel& kernel, const Options& options = {}) {
  Split parts = split(kernel);
  std::vector<std::unique_ptr<std::byte[]>> crossings;
  for (std::size_t i = 0; i < parts.crossings.size(); ++i) {
    crossings.push_back(std::make_unique<std::byte[]>(parts.crossings[i].bytes + 16));
    parts.place(i, crossings.back().get());
  }
  for (const Kernel& part : parts.kernels) run_emulated(part, options);
}

}  // namespace cuprum::cuda
