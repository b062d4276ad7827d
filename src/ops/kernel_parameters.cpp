#include "ops/kernel_parameters.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "cuprum/error.h"

namespace cuprum::ops {

namespace {

std::string prefix(const char* function) { return std::string("cuprum.") + function + ": "; }

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text) {
    if (!std::isspace(static_cast<unsigned char>(c))) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

/// NumPy's names, the aliases that it has beside them, and its codes by kind and size.
dtype named_type(const char* function, const std::string& word) {
  for (int i = 0; i < kDTypeCount; ++i) {
    if (word == name(static_cast<dtype>(i))) return static_cast<dtype>(i);
  }
  static const std::map<std::string, dtype> aliases = {
      {"half", dtype::float16},       {"single", dtype::float32},   {"double", dtype::float64},
      {"float", dtype::float64},      {"int", dtype::int64},        {"uint", dtype::uint64},
      {"intp", dtype::int64},         {"uintp", dtype::uint64},     {"complex", dtype::complex128},
      {"csingle", dtype::complex64},  {"intc", dtype::int32},       {"uintc", dtype::uint32},
      {"byte", dtype::int8},          {"ubyte", dtype::uint8},      {"short", dtype::int16},
      {"ushort", dtype::uint16},      {"long", dtype::int64},       {"longlong", dtype::int64},
      {"ulong", dtype::uint64},       {"ulonglong", dtype::uint64}, {"bool_", dtype::bool_},
      {"cdouble", dtype::complex128}, {"i1", dtype::int8},          {"i2", dtype::int16},
      {"i4", dtype::int32},           {"i8", dtype::int64},         {"u1", dtype::uint8},
      {"u2", dtype::uint16},          {"u4", dtype::uint32},        {"u8", dtype::uint64},
      {"f2", dtype::float16},         {"f4", dtype::float32},       {"f8", dtype::float64},
      {"c8", dtype::complex64},       {"c16", dtype::complex128},   {"b1", dtype::bool_},
  };
  const auto found = aliases.find(word);
  if (found == aliases.end()) {
    throw TypeError(prefix(function) + "data type '" + word +
                    "' not understood; write a dtype such as float32, or one letter for a placeholder");
  }
  return found->second;
}

KernelParameter parse_parameter(const char* function, std::string_view text, bool is_const) {
  const std::vector<std::string> words = words_of(text);
  if (words.size() < 2) {
    throw ValueError(prefix(function) + "Syntax error: " + std::string(text) +
                     "; a parameter is a type and a name, as in 'T x' or 'raw float32 y'");
  }
  KernelParameter p;
  p.name = words.back();
  p.is_const = is_const;
  const std::string& type = words[words.size() - 2];
  if (type.size() == 1) {
    p.placeholder = type;
  } else {
    p.type = named_type(function, type);
  }
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {
    if (words[i] == "raw") {
      p.raw = true;
    } else if (words[i] == "_non_const") {
      p.is_const = false;
    } else if (words[i] != "const") {
      throw ValueError(prefix(function) + "Unknown keyword \"" + words[i] + "\" in '" + std::string(text) +
                       "'");
    }
  }
  return p;
}

class Resolver {
 public:
  explicit Resolver(const char* function) : function_(function) {}

  void see(const KernelParameter& p, dtype given) {
    if (p.type) {
      if (*p.type != given) throw_mismatch(p, given, *p.type, "");
      return;
    }
    const auto [entry, added] = types_.try_emplace(p.placeholder, given);
    if (!added && entry->second != given) throw_mismatch(p, given, entry->second, " " + p.placeholder);
  }

  dtype type_of(const KernelParameter& p) const {
    if (p.type) return *p.type;
    const auto found = types_.find(p.placeholder);
    if (found == types_.end()) {
      throw TypeError(prefix(function_) + "no array says what dtype " + p.placeholder + " of '" +
                      p.placeholder + " " + p.name + "' is; name the dtype, or give an array for it");
    }
    return found->second;
  }

  const std::map<std::string, dtype>& placeholders() const { return types_; }

 private:
  [[noreturn]] void throw_mismatch(const KernelParameter& p, dtype given, dtype wanted,
                                   const std::string& more) const {
    throw TypeError(std::string("Type is mismatched. ") + p.name + " " + name(given) + " " + name(wanted) +
                    more + " (cuprum." + function_ + ": arrays are not cast; write " + p.name + ".astype('" +
                    name(wanted) + "'))");
  }

  const char* function_;
  std::map<std::string, dtype> types_;
};

}  // namespace

const char* KernelParameter::type_name() const { return type ? c_type(*type) : placeholder.c_str(); }

std::vector<KernelParameter> parse_parameters(const char* function, std::string_view text, bool is_const) {
  std::vector<KernelParameter> parameters;
  if (words_of(text).empty()) return parameters;
  for (std::size_t at = 0;;) {
    const std::size_t comma = text.find(',', at);
    parameters.push_back(parse_parameter(function, text.substr(at, comma - at), is_const));
    if (comma == std::string_view::npos) return parameters;
    at = comma + 1;
  }
}

void check_kernel_name(const char* function, const std::string& name) {
  const bool valid = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
                     std::all_of(name.begin(), name.end(), is_word_character);
  if (!valid) {
    throw ValueError(prefix(function) + "Invalid kernel name: \"" + name +
                     "\"; a name is letters, digits and underscores, and begins with no digit");
  }
}

const char* c_type(dtype type) {
  static const char* const names[kDTypeCount] = {"bool",
                                                 "signed char",
                                                 "short",
                                                 "int",
                                                 "long long",
                                                 "unsigned char",
                                                 "unsigned short",
                                                 "unsigned int",
                                                 "unsigned long long",
                                                 "float16",
                                                 "bfloat16",
                                                 "float",
                                                 "double",
                                                 "complex<float>",
                                                 "complex<double>"};
  return names[static_cast<int>(type)];
}

std::string ParameterTypes::typedefs() const {
  std::string text;
  for (const auto& [letter, type] : placeholders) {
    text += std::string("typedef ") + c_type(type) + " " + letter + ";\n";
  }
  return text;
}

ParameterTypes resolve_types(const char* function, std::span<const KernelParameter> in_parameters,
                             std::span<const KernelParameter> out_parameters,
                             std::span<const std::optional<dtype>> in,
                             std::span<const std::optional<dtype>> out) {
  Resolver resolver(function);
  for (std::size_t i = 0; i < out.size(); ++i) resolver.see(out_parameters[i], *out[i]);
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (in[i]) resolver.see(in_parameters[i], *in[i]);
  }
  ParameterTypes types;
  for (const KernelParameter& p : in_parameters) types.in.push_back(resolver.type_of(p));
  for (const KernelParameter& p : out_parameters) types.out.push_back(resolver.type_of(p));
  types.placeholders.assign(resolver.placeholders().begin(), resolver.placeholders().end());
  return types;
}

bool mentions(std::string_view text, std::span<const char* const> words) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (!is_word_character(text[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size() && is_word_character(text[at])) ++at;
    const std::string_view word = text.substr(begin, at - begin);
    if (std::any_of(words.begin(), words.end(), [&](const char* w) { return word == w; })) return true;
  }
  return false;
}

}  // namespace cuprum::ops
