// A folder for the files of one compilation by another program, and the run of that program in it.
#pragma once

#include <string>
#include <vector>

namespace cuprum {

/// For this user alone; removed at the end.
class WorkFolder {
 public:
  WorkFolder();
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  void write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;

  struct Outcome {
    bool done = false;
    std::string log;  // what it wrote
  };
  /// Runs a command in the folder, and waits for it.
  Outcome run(const std::vector<std::string>& words) const;

 private:
  std::string path_;
};

}  // namespace cuprum
