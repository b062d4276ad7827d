#include "runtime/kernel_text/tokens.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace cuprum {

namespace {

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }
bool in_name(char c) { return begins_name(c) || std::isdigit(static_cast<unsigned char>(c)); }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    while (at_ < text_.size()) {
      if (at_line_start() && text_[at_] == '#')
        read_marker();
      else if (!own_)
        skip_line();
      else
        read_token();
    }
    return std::move(tokens_);
  }

 private:
  bool at_line_start() const { return at_ == 0 || text_[at_ - 1] == '\n'; }

  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size() - 1) + 1; }

  /// # line "file" flags; flag 3: a system header. Other lines with # are pragmas.
  void read_marker() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string line(text_.substr(at_, end - at_));
    char* rest = nullptr;
    const long number = std::strtol(line.c_str() + 1, &rest, 10);
    if (rest != line.c_str() + 1) {
      const std::size_t name_end = line.rfind('"');
      const std::string flags = name_end == std::string::npos ? "" : line.substr(name_end + 1);
      own_ = flags.find('3') == std::string::npos;
      line_ = static_cast<int>(number);
    } else {
      ++line_;
    }
    at_ = end + 1;
  }

  void add(Token::Kind kind, std::size_t end) {
    tokens_.push_back({kind, text_.substr(at_, end - at_), line_});
    line_ += static_cast<int>(std::count(tokens_.back().text.begin(), tokens_.back().text.end(), '\n'));
    at_ = end;
  }

  void read_token() {
    const char c = text_[at_];
    if (c == '\n') ++line_;
    if (std::isspace(static_cast<unsigned char>(c))) {
      ++at_;
    } else if (begins_name(c)) {
      std::size_t end = at_;
      while (end < text_.size() && in_name(text_[end])) ++end;
      if (end < text_.size() && text_[end] == '"' && text_[end - 1] == 'R')
        add(Token::literal, raw_string_end(end));
      else
        add(Token::identifier, end);
    } else if (std::isdigit(static_cast<unsigned char>(c))) {
      std::size_t end = at_ + 1;  // 1e-5f, 0x1p+3, 1'000
      while (end < text_.size() &&
             (in_name(text_[end]) || text_[end] == '.' || text_[end] == '\'' ||
              ((text_[end] == '-' || text_[end] == '+') &&
               std::string_view("eEpP").find(text_[end - 1]) != std::string_view::npos)))
        ++end;
      add(Token::number, end);
    } else if (c == '"' || c == '\'') {
      add(Token::literal, quoted_end());
    } else {
      add(Token::punctuation, at_ + (text_.substr(at_, 2) == "::" ? 2 : 1));
    }
  }

  std::size_t quoted_end() const {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != text_[at_]) end += text_[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text_.size());
  }

  std::size_t raw_string_end(std::size_t quote) const {
    const std::size_t open = text_.find('(', quote);
    if (open == std::string_view::npos) return text_.size();
    const std::string close = ")" + std::string(text_.substr(quote + 1, open - quote - 1)) + "\"";
    const std::size_t end = text_.find(close, open);
    return end == std::string_view::npos ? text_.size() : end + close.size();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool own_ = true;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> own_tokens(std::string_view preprocessed) { return Lexer(preprocessed).run(); }

std::string without_comments(std::string_view code) {
  std::string text(code);
  const auto blank = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, text.size()); ++i) {
      if (text[i] != '\n') text[i] = ' ';
    }
    return std::min(to, text.size());
  };
  bool only_spaces = true;  // on this line so far
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view two = std::string_view(text).substr(i, 2);
    if (two == "//") {
      i = blank(i, text.find('\n', i));
    } else if (two == "/*") {
      i = blank(i, std::min(text.find("*/", i + 2), text.size()) + 2);
    } else if (text[i] == '#' && only_spaces) {
      std::size_t end = text.find('\n', i);
      while (end < text.size() && text[end - 1] == '\\') end = text.find('\n', end + 1);  // goes on
      i = blank(i, end);
    } else if (text[i] == '"' || text[i] == '\'') {
      const char quote = text[i++];
      while (i < text.size() && text[i] != quote && text[i] != '\n') i += text[i] == '\\' ? 2 : 1;
      ++i;
      only_spaces = false;
    } else {
      only_spaces = text[i] == '\n' || (only_spaces && text[i] == ' ') || (only_spaces && text[i] == '\t');
      ++i;
    }
  }
  return text;
}

std::size_t behind_bracket(const std::vector<Token>& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i].kind != Token::punctuation) continue;
    const char c = tokens[i].text[0];
    depth += c == '(' || c == '[' || c == '{';
    depth -= c == ')' || c == ']' || c == '}';
    if (depth == 0) return i + 1;
  }
  return tokens.size();
}

}  // namespace cuprum
