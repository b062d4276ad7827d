#include "backend/cpu/user_kernels/translate.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "backend/cpu/user_kernels/head.h"
#include "cuprum/error.h"
#include "runtime/kernel_text/survey.h"
#include "runtime/kernel_text/tokens.h"

namespace cuprum::cpu {

namespace {

class Translator {
 public:
  Translator(const std::string& text, const std::vector<Token>& tokens, const Edits& edits)
      : text_(text), tokens_(tokens), edits_(edits) {}

  std::string run() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      track_scope(i);
      edit(i);
      if (token.kind != Token::identifier) continue;
      if (token == "__global__")
        replace(token, "");
      else if (token == "__shared__" || token == "extern")
        i = translate_shared(i);
      else if (token == "__device__")
        replace(token, is_variable(i + 1) ? "__attribute__((used))" : "");
      else if (token == "__noinline__" && (i == 0 || !(tokens_[i - 1] == "(" || tokens_[i - 1] == ",")))
        replace(token, "__attribute__((noinline))");
      else if (token == "asm" || token == "__asm__" || token == "__asm") {
        throw CompileError(
            "cuprum: line " + std::to_string(token.line) +
            " of the kernel's text holds instructions of a GPU (asm), which the CPU does not have");
      }
    }
    result_ += std::string_view(text_).substr(copied_);
    if (uses_dynamic_) define_dynamic_shared();
    return std::move(result_);
  }

 private:
  bool is(std::size_t i, std::string_view text) const { return i < tokens_.size() && tokens_[i] == text; }

  std::size_t offset_of(const Token& token) const {
    return static_cast<std::size_t>(token.text.data() - text_.data());
  }
  void copy_to(const char* end) {
    const std::size_t at = static_cast<std::size_t>(end - text_.data());
    if (at <= copied_) return;
    result_ += std::string_view(text_).substr(copied_, at - copied_);
    copied_ = at;
  }
  void replace(const Token& token, std::string_view by) {
    copy_to(token.text.data());
    result_ += by;
    if (by.size() < token.text.size()) result_.append(token.text.size() - by.size(), ' ');  // columns stay
    copied_ += token.text.size();
  }
  void insert_behind(const Token& token, std::string_view text) {
    copy_to(token.text.data() + token.text.size());
    result_ += text;
  }

  void edit(std::size_t i) {
    const auto found = edits_.find(i);
    if (found == edits_.end()) return;
    if (found->second.instead) replace(tokens_[i], *found->second.instead);
    insert_behind(tokens_[i], found->second.behind);
  }

  /// Where statements begin, and whether a brace encloses them that is no namespace's: then they stand in a function (or class).
  void track_scope(std::size_t i) {
    const Token& token = tokens_[i];
    if (token == "{") {
      const bool is_namespace = is(statement_, "namespace") || is(statement_ + 1, "namespace") ||
                                (is(statement_, "extern") && statement_ + 2 == i);
      functions_.push_back(in_function() || !is_namespace);
    } else if (token == "}" && !functions_.empty()) {
      functions_.pop_back();
    }
    if (token == ";" || token == "{" || token == "}") statement_ = i + 1;
  }
  bool in_function() const { return !functions_.empty() && functions_.back(); }

  /// A declaration from its first such word on. Returns the position of its last word that is done.
  std::size_t translate_shared(std::size_t i) {
    bool shared = false, dynamic = false;
    std::size_t end = i;
    for (; end < tokens_.size() && !(tokens_[end] == ";" || tokens_[end] == "{"); ++end) {
      shared |= tokens_[end] == "__shared__";
      dynamic |=
          tokens_[end] == "extern" && end + 1 < tokens_.size() && tokens_[end + 1].kind != Token::literal;
    }
    if (shared && dynamic) return declare_dynamic(i, end);
    if (tokens_[i] == "__shared__") replace(tokens_[i], "thread_local");
    return i;
  }

  /// `extern __shared__ T name[]` in a function is a pointer, T (*name) = the memory; elsewhere it is another name for the memory. (As
  /// such it would do in functions too, were it not that gcc forgets the name in instances of templates.)
  std::size_t declare_dynamic(std::size_t i, std::size_t end) {
    uses_dynamic_ = true;
    const bool pointer = in_function();
    for (std::size_t k = i; k < end; ++k) {
      if (tokens_[k] == "extern" && pointer) replace(tokens_[k], "");
      if (tokens_[k] == "__shared__") replace(tokens_[k], pointer ? "" : "__thread");
      translate_alignas(k);
      if (tokens_[k].kind != Token::identifier || !is(k + 1, "[")) continue;
      std::size_t behind = behind_bracket(tokens_, k + 1);
      if (pointer) {
        copy_to(tokens_[k].text.data());
        result_ += "(*";
        insert_behind(tokens_[k], ")");
        copied_ = offset_of(tokens_[behind - 1]) + 1;
      }
      while (is(behind, "[")) behind = behind_bracket(tokens_, behind);
      insert_behind(tokens_[behind - 1], pointer ? " = ::cuprum_language::DynamicShared{}"
                                                 : std::string(" __asm__(\"") + kDynamicShared + "\")");
      k = behind - 1;
    }
    return end - 1;
  }

  /// alignas cannot stand between the words of a declaration, where CUDA takes it; the attribute can.
  void translate_alignas(std::size_t k) {
    if (!(tokens_[k] == "alignas") || !is(k + 1, "(")) return;
    replace(tokens_[k], "__attribute__((aligned");
    insert_behind(tokens_[behind_bracket(tokens_, k + 1) - 1], "))");
  }

  /// Does a declaration that goes on at i declare a variable? One reaches its initialiser or its end before a parenthesis.
  bool is_variable(std::size_t i) const {
    if (i >= 2 && tokens_[i - 2] == "]") return false;  // a lambda
    for (; i < tokens_.size(); ++i) {
      if (tokens_[i] == "__attribute__" || tokens_[i] == "alignas") {
        i = behind_bracket(tokens_, i + 1) - 1;
      } else if (tokens_[i] == "(" || tokens_[i] == "operator" || tokens_[i] == "~") {
        return false;
      } else if (tokens_[i] == "=" || tokens_[i] == ";" || tokens_[i] == "[" || tokens_[i] == "{") {
        return true;
      }
    }
    return false;
  }

  void define_dynamic_shared() {
    // The most that CUDA gives a block (function.h), at the alignment that the largest vector types want.
    result_ +=
        std::string(
            "\nextern \"C\" {\n__attribute__((visibility(\"hidden\"), aligned(1024))) __thread char ") +
        kDynamicShared + "[232448];\n}\n";
  }

  const std::string& text_;
  const std::vector<Token>& tokens_;
  const Edits& edits_;
  std::size_t statement_ = 0;    // where the current one began
  std::vector<bool> functions_;  // for every open brace: is it in a function?
  std::size_t copied_ = 0;       // how much of text_ is in result_
  bool uses_dynamic_ = false;
  std::string result_;
};

std::string string_literal(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result + '"';
}

/// How the kernels of a text run, by name; kernels of one name in one way.
///
/// Those in which nobody waits get their place as a first parameter (passes.h) and have their heads read, if that can be done to all
/// of one name.
class Heads {
 public:
  Heads() = default;
  Heads(const std::vector<Token>& tokens, const Survey& found) : tokens_(&tokens) {
    std::map<std::string, std::vector<const KernelText*>> kernels;
    for (const KernelText& kernel : found.texts) {
      if (!found.waiting.contains(kernel.name)) kernels[kernel.name].push_back(&kernel);
    }
    for (const auto& [name, all] : kernels) {
      if (!std::ranges::all_of(all, [&](auto* k) { return can_take_place(tokens, *k); })) continue;
      for (const KernelText* kernel : all) give_place(*kernel);
      for (const KernelText& kernel : found.declarations) {
        if (kernel.name == name) give_place(kernel);
      }
      read(found, name, all);
    }
  }

  /// How a kernel runs that is no waiting one: `ns::name<float>`.
  std::string way(std::string_view expression) const {
    const auto found = heads_.find(name_of(expression));
    constexpr const char* kWays[] = {"loop", "asks", "spans", "walks", "strides"};
    return kWays[found == heads_.end() ? Head::none : found->second.kind];
  }

  bool joins(std::string_view expression) const {
    const auto found = heads_.find(name_of(expression));
    return found != heads_.end() && found->second.joins;
  }
  /// Does it, or what it calls, ask for indices in variables that all can see?
  bool told(std::string_view expression) const {
    const auto found = heads_.find(name_of(expression));
    return found == heads_.end() || found->second.told;
  }

  Edits edits;

 private:
  static std::string_view name_of(std::string_view expression) {
    const std::string_view name = expression.substr(0, expression.find('<'));
    const std::size_t last = name.find_last_of(" :&");
    return name.substr(last == std::string_view::npos ? 0 : last + 1);
  }

  void give_place(const KernelText& kernel) {
    const std::size_t first = kernel.parameters + 1, end = behind_bracket(*tokens_, kernel.parameters) - 1;
    const bool nothing = end == first + 1 && (*tokens_)[first] == "void";
    if (nothing) edits[first].instead = "";
    edits[kernel.parameters].behind =
        std::string("::cuprum_language::Place& cuprum_place") + (nothing || end == first ? "" : ", ");
    if (kernel.body == 0) return;
    edits[kernel.body].behind =
        " const uint3 threadIdx = cuprum_place.thread, blockIdx = cuprum_place.block;"
        " const dim3 blockDim = cuprum_place.threads, gridDim = cuprum_place.blocks;";
  }

  void read(const Survey& found, const std::string& name, const std::vector<const KernelText*>& kernels) {
    std::vector<Head> heads;
    for (const KernelText* kernel : kernels) heads.push_back(read_head(*tokens_, *kernel, found));
    Head& result = heads_[name];
    result.joins = std::ranges::all_of(heads, [](const Head& h) { return h.joins; });
    result.told = std::ranges::any_of(heads, [](const Head& h) { return h.told; });
    if (!std::ranges::all_of(heads, [&](const Head& h) { return h.kind == heads[0].kind; })) return;
    result.kind = heads[0].kind;
    for (const Head& head : heads) {
      for (const auto& [token, edit] : head.edits) {
        Edit& mine = edits[token];
        if (edit.instead) mine.instead = edit.instead;
        mine.behind += edit.behind;
      }
    }
  }

  const std::vector<Token>* tokens_ = nullptr;
  std::map<std::string, Head, std::less<>> heads_;
};

std::string entries(const Survey& found, const Heads& heads,
                    const std::vector<std::string>& name_expressions) {
  std::string rows;
  const auto add = [&](const std::string& expression, const std::string& name) {
    const std::string way = found.waits(expression) ? "fibers" : heads.way(expression);
    const bool joins = heads.joins(expression) && !found.indexes(expression);
    const bool told = heads.told(expression) || found.indexes(expression);
    const char* order = found.hears(expression) ? "by_blocks" : joins ? "joined" : "by_rows";
    rows += "::cuprum_language::entry<&" + expression + ", ::cuprum_language::Way::" + way +
            ", ::cuprum_language::Order::" + order + (told ? ", true>(" : ", false>(") +
            string_literal(name) + "),\n";
  };
  for (const std::string& name : name_expressions) add(name.starts_with("&") ? name.substr(1) : name, name);
  rows += "# 1 \"the table of kernels\"\n";
  for (const std::string& name : found.kernels) add("::" + name, name);
  return "\n# 1 \"name_expressions\"\nextern \"C\" __attribute__((visibility(\"default\"), used)) constexpr "
         "::cuprum_language::Entry cuprum_entries[] = {\n# 1 \"name_expressions\"\n" +
         rows + "{}};\n";
}

/// A cast to a pointer: reinterpret_cast, or `*)` before what a value begins with.
bool casts_pointers(const std::vector<Token>& tokens) {
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    const Token& next = tokens[i + 2];
    if (tokens[i] == "reinterpret_cast") return true;
    if (tokens[i] == "*" && tokens[i + 1] == ")" &&
        (next.kind == Token::identifier || next.kind == Token::number || next == "(" || next == "&"))
      return true;
  }
  return false;
}

}  // namespace

Translation translate(const std::string& preprocessed, const std::vector<std::string>& name_expressions,
                      bool as_written) {
  const std::vector<Token> tokens = own_tokens(preprocessed);
  const Survey found = survey(tokens);
  const Heads heads = as_written ? Heads() : Heads(tokens, found);
  std::string text =
      Translator(preprocessed, tokens, heads.edits).run() + entries(found, heads, name_expressions);
  return {std::move(text), casts_pointers(tokens)};
}

}  // namespace cuprum::cpu
