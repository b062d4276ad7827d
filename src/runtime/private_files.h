// Files that nobody but this user writes: what is read from them runs (compiled kernels), and what is written must not
// land where somebody else has put a link.
//
// Everything is asked of an opened descriptor, never of a name, so that nothing can be exchanged between question and use.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace cuprum {

/// An open folder that belongs to this user and that nobody else can write to. Names are those of files in it.
class PrivateFolder {
 public:
  /// Opens it; `make`: makes it, with mode 0700, and what is missing above it.
  explicit PrivateFolder(const std::string& path, bool make = false);
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  /// Could it be opened, and is it private?
  bool usable() const { return file_ >= 0; }
  /// Why an existing folder is not used, with the remedy; empty for one that is, and for one that is not there.
  const std::string& problem() const { return problem_; }

  /// The text of a regular file of this user that others cannot write, if it has at most `most` bytes; and marks it as
  /// used now.
  std::optional<std::string> read(const std::string& name, std::uint64_t most) const;
  /// All of `text` under `name`, or nothing: it is written to a new file of mode 0600, which then takes the name.
  bool write(const std::string& name, std::string_view text) const;
  void remove(const std::string& name) const;

  struct File {
    std::string name;
    std::uint64_t bytes;
    std::int64_t used;  // nanoseconds of the clock below
  };
  /// Calls `see` for every regular file.
  void list(const std::function<void(const File&)>& see) const;
  static std::int64_t now();

  /// Ends the names of files that are being written.
  static constexpr char kUnfinished[] = ".tmp";

 private:
  int file_ = -1;
  std::string problem_;
};

/// Writes `text` to a new file of mode 0600 in the temporary folder (TMPDIR, else /tmp), whose name nobody can foresee:
/// <prefix>_XXXXXX<suffix>. Returns its path; empty where that fails.
std::string save_in_temporary_folder(const std::string& prefix, const std::string& suffix,
                                     std::string_view text);

}  // namespace cuprum
