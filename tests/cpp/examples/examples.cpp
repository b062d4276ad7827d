#include "examples.h"

#include <filesystem>
#include <optional>
#include <system_error>

#include "../temporary_folder.h"

namespace {

class FolderForFiles : public testing::Environment {
  void SetUp() override {
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(folder_.emplace().path());
  }
  void TearDown() override {
    std::error_code ignored;
    std::filesystem::current_path(before_, ignored);
    folder_.reset();
  }
  std::optional<cuprum::testing_support::TemporaryFolder> folder_;
  std::filesystem::path before_;
};

const testing::Environment* const folder = testing::AddGlobalTestEnvironment(new FolderForFiles);

}  // namespace
