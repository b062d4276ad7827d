#include "backend/cuda/user_kernels/compile.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>

#include "backend/cuda/user_kernels/language.h"
#include "backend/cuda/user_kernels/options.h"
#include "cuprum/error.h"
#include "jit/headers.h"
#include "runtime/disk_cache.h"
#include "runtime/kernel_text/compile_log.h"
#include "runtime/kernel_text/survey.h"
#include "runtime/trace.h"
#include "runtime/work_folder.h"

namespace cuprum::cuda {

namespace {

// -- What is compiled.

constexpr char kBefore[] = "#include \"kernels/user/parameters.h\"\n#line 1 \"kernel.cu\"\n";

// The toolkit's number types, if the text has included them.
constexpr char kNumbers[] =
    "namespace cuprum_language {\n"
    "#if defined(__CUDA_FP16_TYPES_EXIST__)\nCUPRUM_NUMBER(__half, 9)\n#endif\n"
    "#if defined(__CUDA_BF16_TYPES_EXIST__)\nCUPRUM_NUMBER(__nv_bfloat16, 10)\n#endif\n"
    "}\n";

std::vector<std::string> names_in(const ModuleSpec& spec) {
  std::vector<std::string> names = spec.name_expressions;
  const std::string text = without_comments(spec.code);
  for (const std::string& kernel : survey(own_tokens(text)).kernels) {
    if (std::find(names.begin(), names.end(), kernel) == names.end()) names.push_back(kernel);
  }
  return names;
}

std::string with_descriptions(const std::string& code, const std::vector<std::string>& names) {
  std::string text = kBefore + code + "\n#line 1 \"cuprum_parameters\"\n" + kNumbers;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string address = (names[i].starts_with('&') ? "" : "&") + names[i];
    text += "extern \"C\" __device__ auto " + described_by(i) + " = cuprum_language::Parameters<decltype(" +
            address + ")>::described();\n";
  }
  return text;
}

// -- Images in the on-disk cache: texts with their lengths before them.

void append(std::string& to, std::string_view part) {
  to += std::to_string(part.size()) + ':';
  to += part;
}

std::optional<std::string> take(std::string_view& from) {
  const std::size_t colon = from.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::size_t size = std::strtoull(std::string(from.substr(0, colon)).c_str(), nullptr, 10);
  if (size > from.size() - colon - 1) return std::nullopt;
  std::string part(from.substr(colon + 1, size));
  from.remove_prefix(colon + 1 + size);
  return part;
}

std::string packed(const ModuleImage& image) {
  std::string text = image.described ? "d" : "u";
  append(text, image.log);
  append(text, image.code);
  for (const ModuleImage::Name& n : image.names) {
    append(text, n.name);
    append(text, n.symbol);
  }
  return text;
}

std::optional<ModuleImage> unpacked(std::string_view text) {
  ModuleImage image;
  image.described = text.starts_with('d');
  text.remove_prefix(std::min<std::size_t>(text.size(), 1));
  auto log = take(text), code = take(text);
  if (!log || !code) return std::nullopt;
  image.log = *std::move(log);
  image.code = *std::move(code);
  while (!text.empty()) {
    auto name = take(text), symbol = take(text);
    if (!name || !symbol) return std::nullopt;
    image.names.push_back({*std::move(name), *std::move(symbol)});
  }
  return image;
}

// -- NVRTC.

ModuleImage image_of(Compilation&& made, const std::vector<std::string>& names, bool described) {
  ModuleImage image{std::move(made.image), std::move(made.log), {}, described};
  for (std::size_t i = 0; i < names.size(); ++i) image.names.push_back({names[i], made.symbols[i]});
  return image;
}

ModuleImage compile_by_nvrtc(const ModuleSpec& spec, const Target& target) {
  const tracing::HostSpan compiling(tracing::Kind::host, "compile a kernel");
  const std::vector<std::string> all = names_in(spec);
  Compilation made =
      compile(with_descriptions(spec.code, all), target, {"cuprum_module.cu", user_headers(), all});
  if (!made.image.empty()) return image_of(std::move(made), all, true);
  if (!names_error_in(made.log, kKernelFile)) {
    made = compile(spec.code, target, {kKernelFile, user_headers(), spec.name_expressions});
    if (!made.image.empty()) return image_of(std::move(made), spec.name_expressions, false);
  }
  throw CompileError(describe_failure(made.log, spec.code, "NVRTC " + nvrtc_version()));
}

// -- nvcc.

std::string find_nvcc() {
  std::vector<std::string> candidates;
  for (const char* variable : {"CUDA_PATH", "CUDA_HOME"}) {
    if (const char* path = std::getenv(variable)) candidates.push_back(std::string(path) + "/bin/nvcc");
  }
  candidates.insert(candidates.end(), {"nvcc", "/usr/local/cuda/bin/nvcc"});
  for (const std::string& candidate : candidates) {
    if (WorkFolder().run({candidate, "--version"}).done) return candidate;
  }
  throw CompileError(
      "cuprum: the kernel asks for backend='nvcc', and nvcc was not found (CUDA_PATH, CUDA_HOME, PATH, "
      "/usr/local/cuda); install the CUDA toolkit, or write backend='nvrtc'");
}

ModuleImage compile_by_nvcc(const ModuleSpec& spec, int architecture) {
  const std::string nvcc = find_nvcc();
  const WorkFolder folder;
  folder.write(kKernelFile, spec.code);
  for (const auto headers : {embedded_headers(), user_headers()}) {
    for (const EmbeddedHeader& h : headers) {
      if (std::string_view(h.name).find('/') != std::string_view::npos)  // others would hide the C library's
        folder.write(std::string("headers/") + h.name, h.text);
    }
  }
  std::vector<std::string> words = {nvcc,         "--cubin", "-arch=sm_" + std::to_string(architecture),
                                    "-std=c++20", "-I",      "headers"};
  words.insert(words.end(), spec.options.begin(), spec.options.end());
  words.insert(words.end(), {"-o", "kernel.cubin", kKernelFile});
  const WorkFolder::Outcome outcome = folder.run(words);
  ModuleImage image{outcome.done ? folder.read("kernel.cubin") : "", outcome.log, {}, false};
  if (image.code.empty()) throw CompileError(describe_failure(outcome.log, spec.code, nvcc));
  return image;
}

}  // namespace

std::string described_by(std::size_t number) { return "cuprum_parameters_" + std::to_string(number); }

ModuleImage compile_module(const ModuleSpec& spec, int architecture) {
  if (spec.form == ModuleSpec::Form::machine_code) return {spec.code, "", {}, false};
  const DeviceOptions options = device_options(spec.options, architecture);
  const bool by_nvrtc = spec.form == ModuleSpec::Form::nvrtc;
  const auto made = [&] {
    return by_nvrtc ? compile_by_nvrtc(spec, options.target) : compile_by_nvcc(spec, architecture);
  };
  if (options.reads_files) return made();  // whose contents may have changed since
  std::string key = "cuprum kernels on a GPU";
  for (const std::string& part : {nvrtc_version(), std::to_string(headers_fingerprint()),
                                  user_headers_fingerprint(), std::string(kBefore) + kNumbers, spec.key()})
    append(key, part);
  for (const std::string& flag : options.target.flags) append(key, flag);
  if (const std::optional<std::string> kept = disk_cache().find(key)) {
    if (std::optional<ModuleImage> image = unpacked(*kept)) return *std::move(image);
  }
  ModuleImage image = made();
  disk_cache().add(key, packed(image));
  return image;
}

}  // namespace cuprum::cuda
