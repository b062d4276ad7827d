#include "backend/cpu/user_kernels/head.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace cuprum::cpu {

namespace {

constexpr std::string_view kTypes[] = {"int",      "unsigned",  "signed",  "long",     "short",
                                       "char",     "bool",      "float",   "double",   "size_t",
                                       "uint",     "ptrdiff_t", "int32_t", "uint32_t", "int64_t",
                                       "uint64_t", "ssize_t",   "auto",    "const",    "constexpr"};
// No walk is made with these, and `auto` takes the type that the index has in CUDA.
constexpr std::string_view kNoCounters[] = {"short",  "char", "bool",  "float",
                                            "double", "auto", "const", "constexpr"};
constexpr std::string_view kFunctions[] = {"min", "max"};
constexpr std::string_view kOperators = "()+-*/%<>&|^~!?:,.=";

template <class List>
bool is_among(std::string_view word, const List& words) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

/// What a value of the head was made of.
struct Source {
  bool thread = false;   // the index of the thread
  bool along = false;    // its index along x
  bool index = false;    // it is that index, or the one that counts through the grid
  bool threads = false;  // a number of threads
  bool counts = false;   // it is a variable that can walk
};

/// Tokens [begin, end).
struct Range {
  std::size_t begin = 0, end = 0;
  bool empty() const { return begin >= end; }
};

class HeadReader {
 public:
  HeadReader(const std::vector<Token>& tokens, const KernelText& kernel, const Survey& found)
      : tokens_(tokens), kernel_(kernel), found_(found), end_(behind_bracket(tokens, kernel.body) - 1) {
    read_parameters();
  }

  Head run() {
    at_ = kernel_.body + 1;
    while (at_ < end_ && result_.kind == Head::none && (read_declaration() || read_condition())) continue;
    if (result_.kind == Head::none && !read_walk() && asks_) end_head("true", "done");
    if (result_.kind == Head::asks && stretch_) result_.kind = Head::spans;
    for (std::size_t i = kernel_.body + 1; i < end_; ++i)
      result_.told |= found_.indexing.contains(tokens_[i].text);
    result_.joins = knows_index_alone();
    return std::move(result_);
  }

 private:
  bool is(std::size_t i, std::string_view text) const { return i < end_ && tokens_[i] == text; }
  bool is_one_of(std::size_t i, std::string_view characters) const {
    return i < tokens_.size() && tokens_[i].kind == Token::punctuation && tokens_[i].text.size() == 1 &&
           characters.find(tokens_[i].text[0]) != std::string_view::npos;
  }
  bool touch(std::size_t i) const {
    return tokens_[i].text.data() + tokens_[i].text.size() == tokens_[i + 1].text.data();
  }
  std::string text(Range r) const {
    const char* begin = tokens_[r.begin].text.data();
    const Token& last = tokens_[r.end - 1];
    std::string result(begin, last.text.data() + last.text.size());
    std::ranges::replace(result, '\n', ' ');
    return result;
  }
  void put_behind(std::size_t i, const std::string& text) { result_.edits[i].behind += text; }
  /// function(the range)
  void put_around(Range r, const std::string& function) {
    put_behind(r.begin - 1, "cuprum_place." + function + "(");
    result_.edits[r.end - 1].behind.insert(0, ")");
  }
  /// `otherwise`: what threads are for whom the condition does not hold (passes.h).
  std::string asking(const std::string& condition, const std::string& otherwise) const {
    return " if (cuprum_place.asked(" + condition + ", ::cuprum_language::Place::" + otherwise + ")) return;";
  }
  void end_head(const std::string& condition, const std::string& otherwise) {
    put_behind(at_ - 1, asking(condition, otherwise));
    result_.kind = Head::asks;
  }

  /// Numbers among the parameters: of the function by value, and of its template.
  void read_parameters() {
    for (std::size_t i = kernel_.begin; i + 1 < kernel_.parameters; ++i) {
      if (is_among(tokens_[i].text, kTypes) && tokens_[i + 1].kind == Token::identifier)
        numbers_[std::string(tokens_[i + 1].text)] = {};
    }
    const std::size_t end = behind_bracket(tokens_, kernel_.parameters) - 1;
    bool value = true;
    for (std::size_t i = kernel_.parameters + 1; i <= end; ++i) {
      if (is_one_of(i, "*&[<")) value = false;
      if (i != end && !(tokens_[i] == ",")) continue;
      if (value && tokens_[i - 1].kind == Token::identifier) numbers_[std::string(tokens_[i - 1].text)] = {};
      value = true;
    }
  }

  /// Is the = at i no comparison?
  bool assigns(std::size_t i) const {
    if (!is(i, "=") || (touch(i) && is(i + 1, "="))) return false;
    if (!touch(i - 1) || !is_one_of(i - 1, "=!<>")) return true;
    return is_one_of(i - 1, "<>") && touch(i - 2) && tokens_[i - 2] == tokens_[i - 1].text;  // <<=
  }

  /// What an expression of the head is made of; nothing for one that is none.
  std::optional<Source> source_of(Range r) const {
    if (r.empty() || text(r).find('#') != std::string::npos) return std::nullopt;
    Source source;
    for (std::size_t i = r.begin; i < r.end; ++i) {
      const Token& token = tokens_[i];
      const bool calls = is(i + 1, "(") && i + 1 < r.end;
      if (token.kind == Token::number) continue;
      if (token.kind == Token::punctuation) {
        const bool twice = i + 1 < r.end && touch(i) && token == tokens_[i + 1].text;
        if (!is_one_of(i, kOperators) || assigns(i) || (twice && is_one_of(i, "+-"))) return std::nullopt;
        if (token == "-" && touch(i) && is(i + 1, ">")) return std::nullopt;
        continue;
      }
      if (token.kind != Token::identifier) return std::nullopt;
      if (tokens_[i - 1] == "." && !calls) continue;
      if (token == "threadIdx") {
        source.thread = true;
        source.along |= !(is(i + 1, ".") && (is(i + 2, "y") || is(i + 2, "z")));
      } else if (token == "blockDim" || token == "gridDim") {
        source.threads = true;
      } else if (const auto number = numbers_.find(token.text); number != numbers_.end() && !calls) {
        source.thread |= number->second.thread;
        source.threads |= number->second.threads;
        source.along |= number->second.along;
      } else if (!(token == "blockIdx" || token == "warpSize" || token == "static_cast" ||
                   is_among(token.text, kTypes) || (calls && is_among(token.text, kFunctions)))) {
        return std::nullopt;
      }
    }
    return source;
  }

  /// Up to the one of `characters` that stands outside of brackets.
  std::size_t find(std::size_t i, std::string_view characters) const {
    while (i < end_ && !is_one_of(i, characters))
      i = is_one_of(i, "([{") ? behind_bracket(tokens_, i) : i + 1;
    return std::min(i, end_);
  }

  /// const int i = ..., j = ...;
  bool read_declaration() {
    std::size_t i = behind_type(at_);
    const Range type{at_, i};
    if (type.empty()) return false;
    std::map<std::string, Source, std::less<>> declared;
    const Edits before = result_.edits;
    const std::set<std::size_t> indexed_before = indexed_;
    for (;; ++i) {
      const std::size_t name = i++, value = i + 1;
      if (tokens_[name].kind != Token::identifier) break;
      Source source;
      if (is(i, "=")) {
        i = find(value, ",;");
        const std::optional<Source> made_of = source_of({value, i});
        if (!made_of) break;
        source = *made_of;
        source.index = source.along && holds_index(type) && is_index_along_x({value, i});
        if (!has(type, "auto")) mark_index({value, i});
      }
      source.counts = can_count(type);
      declared[std::string(tokens_[name].text)] = source;
      if (is(i, ",")) continue;
      if (!is(i, ";")) break;
      for (const auto& [word, from] : declared) numbers_[word] = from;
      at_ = i + 1;
      return true;
    }
    result_.edits = before;
    indexed_ = indexed_before;
    return false;
  }
  std::size_t behind_type(std::size_t i) const {
    while (i < end_ && is_among(tokens_[i].text, kTypes)) ++i;
    return i;
  }
  bool has(Range r, std::string_view word) const {
    for (std::size_t i = r.begin; i < r.end; ++i) {
      if (tokens_[i] == word) return true;
    }
    return false;
  }
  bool can_count(Range type) const {
    return !type.empty() && std::ranges::none_of(kNoCounters, [&](auto word) { return has(type, word); });
  }

  /// Can variables of this type have all indices?
  bool holds_index(Range type) const {
    return !has(type, "short") && !has(type, "char") && !has(type, "bool");
  }

  Range without_brackets(Range r) const {
    while (is(r.begin, "(") && behind_bracket(tokens_, r.begin) == r.end) ++r.begin, --r.end;
    return r;
  }

  /// blockIdx.x * blockDim.x + threadIdx.x, in either order and with a number for blockDim.x: a sum that is known not to wrap.
  bool is_index(Range r) const {
    const std::size_t plus = find_plus(r);
    if (plus == r.end) return false;
    Range thread{r.begin, plus}, product{plus + 1, r.end};
    if (thread.end - thread.begin != 3) std::swap(thread, product);
    if (thread.end - thread.begin != 3 || !is(thread.begin, "threadIdx")) return false;
    product = without_brackets(product);
    const auto factor = [&](std::size_t i) {
      return (is(i, "blockIdx") || is(i, "blockDim")) && is(i + 1, ".") &&
             is(i + 2, tokens_[thread.begin + 2].text);
    };
    const std::size_t size = product.end - product.begin, i = product.begin;
    const auto number = [&](std::size_t k) {
      return tokens_[k].text.size() <= 4 &&
             tokens_[k].text.find_first_not_of("0123456789") == std::string_view::npos;
    };
    if (size == 7)
      return factor(i) && is(i + 3, "*") && factor(i + 4) && !(tokens_[i] == tokens_[i + 4].text);
    return size == 5 && ((factor(i) && is(i, "blockIdx") && is(i + 3, "*") && number(i + 4)) ||
                         (number(i) && is(i + 1, "*") && factor(i + 2) && is(i + 2, "blockIdx")));
  }
  std::size_t find_plus(Range r) const { return std::min(find(r.begin, "+"), r.end); }
  bool is_index_along_x(Range value) const {
    const Range r = without_brackets(value);
    return is_index(r) || (r.end - r.begin == 3 && is(r.begin, "threadIdx"));
  }
  void mark_index(Range value) {
    const Range r = without_brackets(value);
    if (!is_index(r)) return;
    for (std::size_t i = r.begin; has(r, "blockDim") && i < r.end; ++i) indexed_.insert(i);
    put_around(r, "index");
    result_.edits[find_plus(r)].instead = ",";
  }
  std::string index_text(Range value) const {
    const Range r = without_brackets(value);
    if (!is_index(r)) return text(value);
    const std::size_t plus = find_plus(r);
    return "cuprum_place.index(" + text({r.begin, plus}) + ", " + text({plus + 1, r.end}) + ")";
  }

  /// Do threadIdx.x and blockIdx.x stand nowhere but in indices?
  bool knows_index_alone() const {
    if (result_.told) return false;
    for (std::size_t i = kernel_.body + 1; i < end_; ++i) {
      if (!is(i, "threadIdx") && !is(i, "blockIdx")) continue;
      const bool other = is(i + 1, ".") && (is(i + 2, "y") || is(i + 2, "z"));
      if (!other && !indexed_.contains(i)) return false;
    }
    return true;
  }

  /// if (...) return; and the head goes on, or any other `if`, whose condition ends it.
  bool read_condition() {
    if (!is(at_, "if") || !is(at_ + 1, "(")) return false;
    const std::size_t behind = behind_bracket(tokens_, at_ + 1);
    const Range condition{at_ + 2, behind - 1};
    if (!source_of(condition)) return false;
    const bool braces = is(behind, "{");
    const std::size_t word = behind + (braces ? 1 : 0), next = word + (braces ? 3 : 2);
    if (is(word, "return") && is(word + 1, ";") && (!braces || is(word + 2, "}")) && !is(next, "else")) {
      put_around(condition, "leaves");
      asks_ = true;
      stretch_ = stretch_ && is_stretch(condition, "|");
      at_ = next;
    } else {
      end_head(text(condition), statement_end(behind) == end_ ? "done" : "other");
      put_around(condition, "holds");
      stretch_ = stretch_ && is_stretch(condition, "&");
    }
    return true;
  }
  /// Where a statement ends at the latest that has no `else`.
  std::size_t statement_end(std::size_t i) const {
    return is(i, "{") ? behind_bracket(tokens_, i) : find(i, ";") + 1;
  }

  /// Are the threads along x for whom it holds neighbours? `joint` is "&" for conditions that all have to hold; for "|", of which none
  /// may, those are meant for whom it does not. Each part says nothing of x, or compares the index with what says nothing of x.
  bool is_stretch(Range condition, std::string_view joint) const {
    const Range r = without_brackets(condition);
    if (find(r.begin, "?,") < r.end) return says_nothing_of_x(r);
    for (std::size_t i = r.begin; (i = std::min(find(i, joint), r.end)) + 1 < r.end; ++i) {
      if (touch(i) && is(i + 1, joint))
        return is_stretch({r.begin, i}, joint) && is_stretch({i + 2, r.end}, joint);
    }
    const std::optional<Source> all = source_of(r);
    if (!all || !all->along) return all.has_value();
    const std::size_t at = std::min(find(r.begin, "<>=!&|^"), r.end);
    const std::size_t behind = at + (touch(at) && is(at + 1, "=") ? 2 : 1);
    if (!is_one_of(at, "<>") || std::min(find(behind, "<>=!&|^"), r.end) != r.end) return false;
    const Range left = without_brackets({r.begin, at}), right = without_brackets({behind, r.end});
    return (is_index_variable(left) && says_nothing_of_x(right)) ||
           (is_index_variable(right) && says_nothing_of_x(left));
  }
  bool is_index_variable(Range r) const {
    const auto number = numbers_.find(tokens_[r.begin].text);
    return r.end - r.begin == 1 && number != numbers_.end() && number->second.index;
  }
  bool says_nothing_of_x(Range r) const {
    const std::optional<Source> source = source_of(r);
    return source && !source->along;
  }

  struct Walk {
    Range type;  // of a variable that the loop declares
    std::string variable;
    Range begin;  // empty: where the variable stands
    Range condition, step;
    Range body;
  };

  bool read_walk() {
    const std::optional<Walk> walk = is(at_, "for")     ? read_for()
                                     : is(at_, "while") ? read_while()
                                                        : std::nullopt;
    if (!walk || walk->body.end != end_ || found_.shares) return false;
    const std::optional<Source> begin =
        walk->begin.empty() ? std::optional(numbers_[walk->variable]) : source_of(walk->begin);
    const std::optional<Source> step = source_of(walk->step);
    numbers_.try_emplace(walk->variable);
    if (!begin || !step || !source_of(walk->condition) || !begin->thread || !step->threads || step->thread)
      return false;
    if (!leaves_numbers(walk->body)) return false;
    Source& variable = numbers_[walk->variable];
    if (!walk->begin.empty()) variable = {true, true, begin->along && is_index_along_x(walk->begin)};
    const bool strides = stretch_ && variable.index && is_stretch(walk->condition, "&");
    const std::string step_text = text(walk->step);
    std::string asks;
    if (walk->begin.empty()) {
      asks = " " + walk->variable + " = cuprum_place.first(" + walk->variable + ", " + step_text + ");";
    } else {
      const std::string type = text(walk->type);
      const std::string first = "cuprum_place.first<" + type + ">(";
      asks = " " + type + " " + walk->variable + " = " + first + index_text(walk->begin) + ", " + step_text +
             ");";
      put_behind(walk->begin.begin - 1, first);
      mark_index(walk->begin);
      put_behind(walk->begin.end - 1, ", " + step_text + ")");
    }
    asks += asking("cuprum_place.walks(" + text(walk->condition) + ")", "done");
    put_behind(at_ - 1, walk->begin.empty() ? asks : " {" + asks + " }");
    put_around(walk->condition, "walks");
    put_around({walk->step.begin - 3, walk->step.end}, "advance");  // i += step  becomes  advance(i, step)
    result_.edits[walk->step.begin - 2].instead = ",";
    result_.edits[walk->step.begin - 1].instead = "";
    result_.kind = strides ? Head::strides : Head::walks;
    return true;
  }

  /// for (int i = ...; ...; i += ...)  or  for (; ...; i += ...)
  std::optional<Walk> read_for() const {
    if (!is(at_ + 1, "(")) return std::nullopt;
    const std::size_t close = behind_bracket(tokens_, at_ + 1) - 1;
    const std::size_t first = find(at_ + 2, ";"), second = find(first + 1, ";");
    if (second >= close) return std::nullopt;
    Walk walk;
    walk.condition = {first + 1, second};
    if (!read_step(second + 1, close, walk)) return std::nullopt;
    if (first != at_ + 2) {
      const std::size_t name = behind_type(at_ + 2);
      walk.type = {at_ + 2, name};
      walk.begin = {name + 2, first};
      if (!can_count(walk.type) || !is(name, walk.variable) || !is(name + 1, "=") || walk.begin.empty())
        return std::nullopt;
    } else if (!counts(walk.variable)) {
      return std::nullopt;
    }
    walk.body = {close + 1,
                 is(close + 1, "{") ? behind_bracket(tokens_, close + 1) : find(close + 1, ";") + 1};
    return walk;
  }

  /// while (...) { ...; i += ...; }
  std::optional<Walk> read_while() const {
    if (!is(at_ + 1, "(")) return std::nullopt;
    const std::size_t open = behind_bracket(tokens_, at_ + 1);
    if (!is(open, "{")) return std::nullopt;
    const std::size_t close = behind_bracket(tokens_, open) - 1;
    std::size_t step = close - 1;
    while (step > open + 1 && !is_one_of(step - 1, ";{}")) --step;
    Walk walk;
    walk.condition = {at_ + 2, open - 1};
    walk.body = {open, close + 1};
    if (!read_step(step, close - 1, walk) || !is(close - 1, ";") || !counts(walk.variable))
      return std::nullopt;
    if (has(walk.body, "continue")) return std::nullopt;
    return walk;
  }
  bool counts(const std::string& variable) const {
    const auto found = numbers_.find(variable);
    return found != numbers_.end() && found->second.counts;
  }

  /// i += ...
  bool read_step(std::size_t i, std::size_t end, Walk& walk) const {
    if (i + 3 >= end || tokens_[i].kind != Token::identifier || !is(i + 1, "+") || !is(i + 2, "=") ||
        !touch(i + 1))
      return false;
    walk.variable = tokens_[i].text;
    walk.step = {i + 3, end};
    return true;
  }

  /// Is the body of a walk one that may be left behind each trip, with nothing changed but memory?
  bool leaves_numbers(Range body) const {
    std::size_t changes = 0;
    for (std::size_t i = body.begin; i < body.end; ++i) {
      const Token& token = tokens_[i];
      if (token == "[" && is(i + 1, "&")) return false;  // a lambda
      if (token.kind != Token::identifier) continue;
      if (is_among(token.text, kLeaving) || found_.changing.contains(token.text)) return false;
      if (!tokens_[i - 1].text.ends_with('.') && numbers_.contains(token.text) && may_change(i)) ++changes;
    }
    // The one change is the step of a `while`.
    return changes == (is(at_, "while") ? 1 : 0);
  }
  static constexpr std::string_view kLeaving[] = {"break", "return", "goto", "__shared__", "asm"};

  bool may_change(std::size_t name) const {
    const std::size_t before = name - 1;
    if (is_one_of(before, "+-") && touch(before - 1) && tokens_[before - 1] == tokens_[before].text)
      return true;
    const bool value = tokens_[before - 1].kind != Token::punctuation || is_one_of(before - 1, ")]&");
    if (is(before, "&") && !value) return true;               // its address
    if (is(before, "=") && is(before - 2, "&")) return true;  // int& other = it
    std::size_t i = name + 1;
    while (is(i, ".")) i += 2;
    if (assigns(i)) return true;
    if (!is_one_of(i, "+-*/%&|^<>") || i + 1 >= end_ || !touch(i)) return false;
    if (is_one_of(i, "+-") && tokens_[i + 1] == tokens_[i].text) return true;
    return assigns(i + 1) || (is_one_of(i, "<>") && assigns(i + 2));
  }

  const std::vector<Token>& tokens_;
  const KernelText& kernel_;
  const Survey& found_;
  const std::size_t end_;  // the kernel's closing brace
  std::size_t at_ = 0;
  bool asks_ = false;              // there was a condition
  bool stretch_ = true;            // the threads of a row for whom the conditions hold are neighbours
  std::set<std::size_t> indexed_;  // tokens of the indices that were marked
  std::map<std::string, Source, std::less<>> numbers_;
  Head result_;
};

}  // namespace

bool can_take_place(const std::vector<Token>& tokens, const KernelText& kernel) {
  const std::size_t end = behind_bracket(tokens, kernel.body);
  for (std::size_t i = kernel.body + 1; i + 2 < end; ++i) {
    if (tokens[i] == "struct" || tokens[i] == "class" || tokens[i] == "union") return false;
    const Token& before = tokens[i - 1];
    const bool value = before.kind == Token::identifier || before == ")" || before == "]";
    const bool captures_all = (tokens[i + 1] == "&" || tokens[i + 1] == "=") && tokens[i + 2] == "]";
    if (tokens[i] == "[" && !value && !captures_all) return false;
  }
  return true;
}

Head read_head(const std::vector<Token>& tokens, const KernelText& kernel, const Survey& found) {
  return HeadReader(tokens, kernel, found).run();
}

}  // namespace cuprum::cpu
