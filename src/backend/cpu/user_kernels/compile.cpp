#include "backend/cpu/user_kernels/compile.h"

#include <cstdio>
#include <optional>
#include <string_view>
#include <vector>

#include "backend/cpu/user_kernels/compile_log.h"
#include "backend/cpu/user_kernels/compiler.h"
#include "backend/cpu/user_kernels/language.h"
#include "backend/cpu/user_kernels/options.h"
#include "backend/cpu/user_kernels/translate.h"
#include "cuprum/error.h"
#include "runtime/disk_cache.h"

namespace cuprum::cpu {

namespace {

constexpr char kSource[] = "kernel.cu", kPreprocessed[] = "kernel.ii", kTranslated[] = "kernel.cpp",
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
                                         "-fdiagnostics-color=never",
                                         "-fno-diagnostics-show-caret"};

void append(std::string& key, std::string_view part) {
  key += std::to_string(part.size()) + ':';
  key += part;
}

std::string preprocess(const WorkFolder& folder, const HostOptions& options, const ModuleSpec& spec) {
  folder.write(kSource, spec.code);
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
  arguments.insert(arguments.end(), {"-include", "cuprum_language/cuda.h", kSource, "-o", kPreprocessed});
  const Outcome outcome = run_compiler(folder, host_compiler(), arguments);
  if (!outcome.done)
    throw CompileError(describe_failure(outcome.log, spec.code, kSource, host_compiler().version));
  return folder.read(kPreprocessed);
}

std::string build(const WorkFolder& folder, const HostOptions& options, const ModuleSpec& spec,
                  const std::string& preprocessed) {
  const Translation translation = translate(preprocessed, spec.name_expressions);
  folder.write(kTranslated, translation.text);
  std::vector<std::string> arguments = {"-x", "c++-cpp-output", "-std=" + options.standard};
  arguments.insert(arguments.end(), kFlags.begin(), kFlags.end());
  arguments.insert(arguments.end(), options.compile.begin(), options.compile.end());
  if (translation.casts_pointers) arguments.push_back("-fno-strict-aliasing");
  arguments.insert(arguments.end(), {kTranslated, "-o", kLibrary});
  const Outcome outcome = run_compiler(folder, host_compiler(), arguments);
  std::string image = outcome.done ? folder.read(kLibrary) : std::string();
  if (image.empty())
    throw CompileError(describe_failure(outcome.log, spec.code, kSource, host_compiler().version));
  return image;
}

}  // namespace

std::string key_of(const ModuleSpec& spec) {
  std::string key = spec.checked ? "checked" : "plain";
  append(key, spec.code);
  for (const std::string& option : spec.options) append(key, "o" + option);
  for (const std::string& name : spec.name_expressions) append(key, "n" + name);
  return key;
}

std::string compile_image(const ModuleSpec& spec) {
  const HostOptions options = host_options(spec.options);
  const HostCompiler& compiler = host_compiler();
  std::string key = "cuprum kernels on the CPU";
  for (const std::string& part :
       {compiler.command, compiler.version, processor(), language_fingerprint(), key_of(spec)})
    append(key, part);
  for (const std::string& flag : kFlags) append(key, flag);
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
  folder.write(kTranslated, translate(preprocess(folder, options, spec), spec.name_expressions).text);
  return run_compiler(folder, host_compiler(),
                      {"-x", "c++-cpp-output", "-std=" + options.standard, "-fsyntax-only", "-Wall",
                       "-Wno-unknown-pragmas", "-fdiagnostics-color=never", kTranslated})
      .log;
}

}  // namespace cuprum::cpu
