#include "runtime/kernel_text/survey.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace cuprum {

namespace {

constexpr std::string_view kWaitingPrefixes[] = {
    "__syncthreads", "__syncwarp",   "__barrier_sync", "__shfl",    "__ballot",   "__any_sync",
    "__all_sync",    "__activemask", "__match_",       "__reduce_", "__nanosleep"};
constexpr std::string_view kWaitingNames[] = {"this_thread_block", "this_grid",         "coalesced_threads",
                                              "thread_block",      "tiled_partition",   "grid_group",
                                              "coalesced_group",   "thread_block_tile", "this_cluster"};

bool waits_by_nature(std::string_view name) {
  return std::ranges::any_of(kWaitingPrefixes, [&](auto prefix) { return name.starts_with(prefix); }) ||
         std::ranges::find(kWaitingNames, name) != std::end(kWaitingNames);
}

bool hears_by_nature(std::string_view name) {
  constexpr std::string_view prefixes[] = {"atomic", "__threadfence", "__shared__", "volatile",
                                           "asm",    "__asm",         "cuda"};
  return std::ranges::any_of(prefixes, [&](auto prefix) { return name.starts_with(prefix); });
}

bool indexes_by_nature(std::string_view name) { return name == "threadIdx" || name == "blockIdx"; }

bool names_one_of(std::string_view expression, const std::set<std::string, std::less<>>& names) {
  return std::ranges::any_of(own_tokens(expression), [&](const Token& token) {
    return token.kind == Token::identifier && names.contains(token.text);
  });
}

/// A declaration at the level of namespaces.
struct Declaration {
  std::string name;  // of the function or class; empty: some other
  bool kernel = false, has_body = false, is_template = false;
  std::size_t begin = 0, end = 0;
  KernelText text{};  // of a function
  std::set<std::string_view> words;
};

class Surveyor {
 public:
  explicit Surveyor(const std::vector<Token>& tokens) : tokens_(tokens) {}

  Survey run() {
    while (at_ < tokens_.size()) {
      if (enter_scope()) continue;
      if (tokens_[at_] == "}") {
        if (!scopes_.empty()) scopes_.pop_back();
        ++at_;
      } else {
        read_declaration();
      }
    }
    return conclude();
  }

 private:
  bool is(std::size_t i, std::string_view text) const { return i < tokens_.size() && tokens_[i] == text; }

  /// namespace a::b {  or  extern "C" {
  bool enter_scope() {
    std::size_t i = at_ + (is(at_, "inline") ? 1 : 0);
    std::string name;
    if (is(i, "namespace")) {
      for (++i; i < tokens_.size() && (tokens_[i].kind == Token::identifier || tokens_[i] == "::"); ++i)
        name += tokens_[i].text;
    } else if (is(i, "extern") && i + 1 < tokens_.size() && tokens_[i + 1].kind == Token::literal) {
      i += 2;
    }
    if (i == at_ || !is(i, "{")) return false;
    scopes_.push_back(name);
    at_ = i + 1;
    return true;
  }

  std::size_t behind_angles(std::size_t i) const {
    int depth = 0;
    for (; i < tokens_.size(); ++i) {
      if (tokens_[i] == "(" || tokens_[i] == "{") {
        i = behind_bracket(tokens_, i) - 1;
      } else {
        depth += tokens_[i] == "<";
        depth -= tokens_[i] == ">";
      }
      if (depth == 0) return i + 1;
    }
    return i;
  }

  /// To its `;`, or behind its body.
  void read_declaration() {
    Declaration d;
    const std::size_t begin = at_;
    while (is(at_, "template")) {
      d.is_template = true;
      at_ = is(at_ + 1, "<") ? behind_angles(at_ + 1) : at_ + 1;
    }
    for (; at_ < tokens_.size() && !(tokens_[at_] == ";"); ++at_) {
      const Token& token = tokens_[at_];
      if (token == "__global__") d.kernel = true;
      if (d.name.empty() && (token == "struct" || token == "class" || token == "union")) {
        std::size_t i = at_ + 1;
        while (is(i, "__attribute__") || is(i, "alignas")) i = behind_bracket(tokens_, i + 1);
        if (i < tokens_.size() && tokens_[i].kind == Token::identifier && (is(i + 1, "{") || is(i + 1, ":")))
          d.name = tokens_[i].text;
      }
      if (token == "(" || token == "[") {
        if (d.name.empty() && token == "(") {
          d.name = function_name(begin);
          d.text = {d.name, begin, at_, 0};
        }
        at_ = behind_bracket(tokens_, at_) - 1;
      } else if (token == "{") {
        d.has_body = true;
        d.text.body = at_;
        at_ = behind_bracket(tokens_, at_) - 1;
        break;
      } else if (token == "}") {
        break;  // an end too many: the compiler will tell
      }
    }
    at_ = std::min(at_ + 1, tokens_.size());
    for (std::size_t i = begin; i < at_; ++i) {
      if (tokens_[i].kind == Token::identifier) d.words.insert(tokens_[i].text);
    }
    d.begin = begin, d.end = at_;
    if (d.kernel && d.has_body && !d.is_template && !d.name.empty()) ++kernels_[qualified(d.name)];
    declarations_.push_back(std::move(d));
  }

  /// The name before the parenthesis at `at_`: f(, f<float>(.
  std::string function_name(std::size_t begin) const {
    std::size_t i = at_;
    if (i > begin && tokens_[i - 1] == ">") {
      int depth = 0;
      do {
        --i;
        depth += tokens_[i] == ">";
        depth -= tokens_[i] == "<";
      } while (depth != 0 && i > begin);
    }
    if (i == begin || tokens_[i - 1].kind != Token::identifier) return {};
    const std::string_view name = tokens_[i - 1].text;
    constexpr std::string_view kNoNames[] = {"__attribute__",    "alignas",     "decltype",
                                             "noexcept",         "requires",    "__launch_bounds__",
                                             "__cluster_dims__", "__maxnreg__", "__align__"};
    return std::ranges::find(kNoNames, name) != std::end(kNoNames) ? std::string() : std::string(name);
  }

  std::string qualified(const std::string& name) const {
    std::string path;
    for (const std::string& scope : scopes_) path += scope.empty() ? "" : scope + "::";
    return path + name;
  }

  /// Of a class, everything that it declares counts as its parameters.
  bool takes_references(const Declaration& d) const {
    if (d.name.empty()) return false;
    const std::size_t begin = d.text.parameters ? d.text.parameters : d.begin;
    const std::size_t end = d.text.parameters ? behind_bracket(tokens_, begin) : d.end;
    return std::any_of(tokens_.begin() + begin, tokens_.begin() + end,
                       [](const Token& t) { return t == "&"; });
  }

  /// The names of declarations with a word that `by_nature` says, or with such a name.
  std::set<std::string, std::less<>> naming(bool (*by_nature)(std::string_view), bool kernels = true) const {
    std::set<std::string, std::less<>> names;
    const auto has = [&](std::string_view word) { return by_nature(word) || names.contains(word); };
    for (bool grows = true; grows;) {
      grows = false;
      for (const Declaration& d : declarations_) {
        if (d.name.empty() || names.contains(d.name) || (d.kernel && !kernels)) continue;
        if (std::ranges::any_of(d.words, has)) grows = names.insert(d.name).second;
      }
    }
    return names;
  }

  Survey conclude() {
    Survey result;
    for (const auto& [name, count] : kernels_) {
      if (count == 1) result.kernels.push_back(name);
    }
    for (const Declaration& d : declarations_) {
      if (d.kernel && !d.name.empty()) (d.has_body ? result.texts : result.declarations).push_back(d.text);
      if (!d.kernel) result.shares |= d.words.contains("__shared__");
      if (!d.kernel && takes_references(d)) result.changing.insert(d.name);
    }
    result.waiting = naming(waits_by_nature);
    result.hearing = naming(hears_by_nature);
    result.indexing = naming(indexes_by_nature, false);
    return result;
  }

  const std::vector<Token>& tokens_;
  std::size_t at_ = 0;
  std::vector<std::string> scopes_;
  std::vector<Declaration> declarations_;
  std::map<std::string, int> kernels_;  // how often each is defined
};

}  // namespace

bool Survey::waits(std::string_view name_expression) const { return names_one_of(name_expression, waiting); }
bool Survey::hears(std::string_view name_expression) const { return names_one_of(name_expression, hearing); }

bool Survey::indexes(std::string_view name_expression) const {
  return names_one_of(name_expression, indexing);
}

Survey survey(const std::vector<Token>& tokens) { return Surveyor(tokens).run(); }

}  // namespace cuprum
