#include "backend/cpu/user_kernels/compile.h"

#include <cstdio>
#include <optional>
#include <string_view>
#include <vector>

#include "backend/cpu/user_kernels/compiler.h"
#include "backend/cpu/user_kernels/language.h"
#include "backend/cpu/user_kernels/options.h"
#include "backend/cpu/user_kernels/translate.h"
#include "cuprum/error.h"
#include "runtime/disk_cache.h"
#include "runtime/kernel_text/compile_log.h"

namespace cuprum::cpu {

namespace {

constexpr char kPreprocessed[] = "kernel.ii", kTranslated[] = "kernel.cpp", kObject[] = "kernel.o",
               kLibrary[] = "kernel.so", kHeaders[] = "headers";

// Vectors want -fno-math-errno and -fno-trapping-math: CUDA has neither errno nor traps.
const std::vector<std::string> kFlags = {"-O3",
                                         "-march=native",
                                         "-fPIC",
                                         "-shared",
                                         "-pipe",
                                         "-w",
                                         "-fopenmp-simd",
                                         "-fno-math-errno",
                                         "-fno-trapping-math",
                                         "-fno-semantic-interposition",
                                         "-fvisibility=hidden",
                                         "-Wl,-z,defs",
                                         "-fdiagnostics-color=never"};

// With checks: as the text stands (-O0), every access told to language/cuprum_language/sanitizer_calls.h, its lines in a table that
// line_table.h reads.
std::vector<std::string> check_flags() {
  std::vector<std::string> flags = {"-O0",
                                    "-c",
                                    "-g1",
                                    "-gdwarf-4",
                                    "-fsanitize=thread",
                                    "-fsanitize=alignment,bounds",
                                    "-fsanitize-recover=all",
                                    "-fno-builtin-memcpy",
                                    "-fno-builtin-memmove",
                                    "-fno-builtin-memset"};
  if (host_compiler().version.find("clang") == std::string::npos)
    flags.insert(flags.end(), {"--param", "tsan-distinguish-volatile=1"});
  else
    flags.insert(flags.end(), {"-mllvm", "-tsan-distinguish-volatile=1"});
  return flags;
}

void append(std::string& key, std::string_view part) {
  key += std::to_string(part.size()) + ':';
  key += part;
}

std::string preprocess(const WorkFolder& folder, const HostOptions& options, const ModuleSpec& spec) {
  folder.write(kKernelFile, spec.code);
  for (const auto headers : {language_headers(), forwarding_headers()}) {
    for (const EmbeddedHeader& header : headers)
      folder.write(std::string(kHeaders) + "/" + header.name, header.text);
  }
  std::vector<std::string> arguments = {"-E",
                                        "-x",
                                        "c++",
                                        "-std=" + options.standard,
                                        "-isystem",
                                        kHeaders,
                                        "-fdiagnostics-color=never",
                                        "-fopenmp-simd",
                                        "-O3",
                                        "-march=native"};
  arguments.insert(arguments.end(), options.preprocess.begin(), options.preprocess.end());
  arguments.insert(arguments.end(), {"-include", "cuprum_language/cuda.h", kKernelFile, "-o", kPreprocessed});
  const WorkFolder::Outcome outcome = run_compiler(folder, host_compiler(), arguments);
  if (!outcome.done) throw CompileError(describe_failure(outcome.log, spec.code, host_compiler().version));
  return folder.read(kPreprocessed);
}

std::string build(const WorkFolder& folder, const HostOptions& options, const ModuleSpec& spec,
                  const std::string& preprocessed) {
  const Translation translation = translate(preprocessed, spec.name_expressions, spec.checked);
  folder.write(kTranslated, translation.text);
  std::vector<std::string> arguments = {"-x", "c++-cpp-output", "-std=" + options.standard};
  arguments.insert(arguments.end(), kFlags.begin(), kFlags.end());
  arguments.insert(arguments.end(), options.compile.begin(), options.compile.end());
  if (translation.casts_pointers) arguments.push_back("-fno-strict-aliasing");
  if (spec.checked) {
    const std::vector<std::string> checks = check_flags();
    arguments.insert(arguments.end(), checks.begin(), checks.end());
  }
  arguments.insert(arguments.end(), {kTranslated, "-o", spec.checked ? kObject : kLibrary});
  WorkFolder::Outcome outcome = run_compiler(folder, host_compiler(), arguments);
  if (spec.checked && outcome.done) {
    arguments =
        kFlags;  // without -fsanitize: its libraries stay away. -fno-builtin: it has a memcpy of its own
    arguments.insert(arguments.end(),
                     {"-fno-builtin", "-std=" + options.standard, "-I", kHeaders, kObject, "-x", "c++",
                      std::string(kHeaders) + "/cuprum_language/sanitizer_calls.h", "-o", kLibrary});
    outcome = run_compiler(folder, host_compiler(), arguments);
  }
  std::string image = outcome.done ? folder.read(kLibrary) : std::string();
  if (image.empty()) throw CompileError(describe_failure(outcome.log, spec.code, host_compiler().version));
  return image;
}

}  // namespace

std::string compile_image(const ModuleSpec& spec) {
  const HostOptions options = host_options(spec.options);
  const HostCompiler& compiler = host_compiler();
  std::string key = "cuprum kernels on the CPU";
  for (const std::string& part :
       {compiler.command, compiler.version, processor(), language_fingerprint(), spec.key()})
    append(key, part);
  for (const std::string& flag : kFlags) append(key, flag);
  if (spec.checked) {
    for (const std::string& flag : check_flags()) append(key, flag);
  }
  const WorkFolder folder;
  std::optional<std::string> preprocessed;
  if (options.reads_files) append(key, preprocessed.emplace(preprocess(folder, options, spec)));
  if (std::optional<std::string> image = disk_cache().find(key)) return *std::move(image);
  if (!preprocessed) preprocessed = preprocess(folder, options, spec);
  std::string image = build(folder, options, spec, *preprocessed);
  disk_cache().add(key, image);
  return image;
}

std::string warnings_of(const ModuleSpec& spec) {
  const HostOptions options = host_options(spec.options);
  const WorkFolder folder;
  folder.write(kTranslated, translate(preprocess(folder, options, spec), spec.name_expressions, false).text);
  return run_compiler(folder, host_compiler(),
                      {"-x", "c++-cpp-output", "-std=" + options.standard, "-fsyntax-only", "-Wall",
                       "-Wno-unknown-pragmas", "-fdiagnostics-color=never", kTranslated})
      .log;
}

}  // namespace cuprum::cpu
