// The words of a preprocessed text, as far as they are the program's own and not a system header's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cuprum {

struct Token {
  enum Kind { identifier, number, literal, punctuation };
  Kind kind;
  std::string_view text;
  int line;  // in the file that the program wrote

  bool operator==(std::string_view other) const { return text == other; }
};

/// Views into `preprocessed`: line markers ("# 12 "kernel.cu" 2") tell whose text follows. Comments are gone by then.
std::vector<Token> own_tokens(std::string_view preprocessed);

/// A text as it was written, of the same lines: comments and lines of the preprocessor are gone.
std::string without_comments(std::string_view code);

/// The position behind the bracket that closes the one at `open`; the end where there is none.
std::size_t behind_bracket(const std::vector<Token>& tokens, std::size_t open);

}  // namespace cuprum
