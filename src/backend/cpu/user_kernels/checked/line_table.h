// Which line of a program's text an instruction of its compiled module stands for: DWARF's line table (versions 2 to 4), read from the bytes of
// the library. No tool is needed for it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cuprum::cpu {

struct SourceLine {
  std::string file;
  int line = 0;  // 0: not known
};

class LineTable {
 public:
  explicit LineTable(std::string_view image);

  /// The number of the line of the program's own text for an instruction, by its offset in the library. A header's function that was put in
  /// the place of its call counts as the line of the call; 0: the function there is a header's as a whole.
  std::uint32_t at(std::uint64_t offset) const {
    return offset - begin_ < numbers_.size() ? numbers_[offset - begin_] : 0;
  }
  const SourceLine& operator[](std::uint32_t number) const { return lines_[number]; }

 private:
  struct Row {
    std::uint64_t address;
    std::uint32_t file;  // 0: behind the end of a sequence
    int line;
  };
  struct Function {
    std::uint64_t begin, end;
  };
  class Reader;

  std::vector<Row> read_rows(std::string_view table);
  void read_unit(Reader unit, bool wide, std::vector<Row>& rows);
  void number(std::vector<Row> rows, std::vector<Function> functions);

  std::vector<std::string> files_{""};  // those of all units
  std::vector<SourceLine> lines_{{}};
  std::uint64_t begin_ = 0;
  std::vector<std::uint32_t> numbers_;  // one a byte of code
};

}  // namespace cuprum::cpu
