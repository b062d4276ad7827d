#include "backend/cpu/user_kernels/options.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>

#include "cuprum/error.h"

namespace cuprum::cpu {

namespace {

/// What an option is called, once without its value: "-std=c++17" and "--std c++17" are {"std", "c++17"}.
struct Option {
  std::string name, value;
  bool has_value = false;
};

// Options without an effect on the CPU, by NVRTC's long or short names. The second list takes a value.
constexpr std::string_view kSwitches[] = {"lineinfo",
                                          "generate-line-info",
                                          "default-device",
                                          "device-as-default-execution-space",
                                          "dc",
                                          "device-c",
                                          "dw",
                                          "device-w",
                                          "extensible-whole-program",
                                          "ewp",
                                          "disable-warnings",
                                          "w",
                                          "restrict",
                                          "extra-device-vectorization",
                                          "device-int128",
                                          "device-float128",
                                          "dlink-time-opt",
                                          "dlto",
                                          "gen-opt-lto",
                                          "no-source-include",
                                          "display-error-number",
                                          "no-display-error-number",
                                          "minimal",
                                          "pch",
                                          "no-cache",
                                          "use-local-env",
                                          "allow-expensive-optimizations"};
constexpr std::string_view kValued[] = {"gpu-architecture",
                                        "arch",
                                        "maxrregcount",
                                        "relocatable-device-code",
                                        "rdc",
                                        "ftz",
                                        "prec-div",
                                        "prec-sqrt",
                                        "modify-stack-limit",
                                        "split-compile",
                                        "Xptxas",
                                        "ptxas-options",
                                        "dopt",
                                        "opt-info",
                                        "optimization-info",
                                        "diag-error",
                                        "diag-suppress",
                                        "diag-warn",
                                        "brief-diagnostics",
                                        "time",
                                        "builtin-move-forward",
                                        "builtin-initializer-list",
                                        "fdevice-syntax-only",
                                        "jump-table-density",
                                        "device-stack-protector",
                                        "Ofast-compile",
                                        "create-pch",
                                        "use-pch",
                                        "pch-dir",
                                        "version-ident"};

template <class List>
bool is_among(std::string_view name, const List& names) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

Option parse(std::string_view text) {
  for (const std::string_view letter : {"-D", "-U", "-I"}) {
    if (text.starts_with(letter) && text.size() > letter.size())
      return {std::string(letter.substr(1)), std::string(text.substr(letter.size())), true};
  }
  const std::size_t begin = text.starts_with("--") ? 2 : text.starts_with("-") ? 1 : text.size();
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return {std::string(text.substr(begin)), {}, false};
  if (begin > equals) return {};
  return {std::string(text.substr(begin, equals - begin)), std::string(text.substr(equals + 1)), true};
}

bool is_true(const std::string& value) { return value != "false" && value != "0"; }

std::string standard(const std::string& value) {
  // What NVRTC takes, raised to what the language's headers are written in.
  if (is_among(value, (const std::string_view[]){"c++03", "c++11", "c++14", "c++17", "c++20"}))
    return "gnu++20";
  if (value == "c++23") return "gnu++23";
  throw CompileError("cuprum: the option -std=" + value + " is not known; write -std=c++17 or -std=c++20");
}

std::string absolute(const std::string& path) { return std::filesystem::absolute(path).string(); }

}  // namespace

HostOptions host_options(const std::vector<std::string>& options) {
  HostOptions result;
  bool contract = true;  // CUDA's default
  for (std::size_t i = 0; i < options.size(); ++i) {
    Option o = parse(options[i]);
    const auto value = [&] {
      if (!o.has_value && i + 1 < options.size()) o.value = options[++i];
      return o.value;
    };
    if (o.name == "D" || o.name == "define-macro") {
      result.preprocess.push_back("-D" + value());
    } else if (o.name == "U" || o.name == "undefine-macro") {
      result.preprocess.push_back("-U" + value());
    } else if (o.name == "I" || o.name == "include-path") {
      result.preprocess.push_back("-I" + absolute(value()));
      result.reads_files = true;
    } else if (o.name == "include" || o.name == "pre-include") {
      result.preprocess.insert(result.preprocess.end(), {"-include", value()});
      result.reads_files = true;
    } else if (o.name == "std") {
      result.standard = standard(value());
    } else if (o.name == "fmad") {
      contract = is_true(value());
    } else if (o.name == "use_fast_math" || o.name == "use-fast-math") {
      result.compile.insert(result.compile.end(), {"-freciprocal-math", "-fno-signed-zeros"});
    } else if (o.name == "G" || o.name == "device-debug" || o.name == "g") {
      result.compile.insert(result.compile.end(), {"-Og", "-g"});
    } else if (is_among(o.name, kValued)) {
      value();
    } else if (!is_among(o.name, kSwitches)) {
      throw CompileError("cuprum: the option '" + options[i] +
                         "' is not known; write those of NVRTC, such as -DN=4, -I/path, -std=c++17, "
                         "--use_fast_math or --fmad=false");
    }
  }
  result.compile.push_back(contract ? "-ffp-contract=fast" : "-ffp-contract=off");
  return result;
}

}  // namespace cuprum::cpu
