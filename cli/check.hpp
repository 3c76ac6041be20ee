// SPDX-License-Identifier: GPL-2.0-or-later
//
// What `check` and `sample` share: all but the way in which a scenario is gone through.
#pragma once

#include <optional>
#include <string>

#include "checker/sample.hpp"
#include "cli/commands.hpp"

namespace futexmc::cli {

struct CheckManner {
  std::string command;  ///< "check", with the options that the manner needs
  std::optional<checker::SampleOptions> sample;
};
int check_as(const CheckOptions& given, const CheckManner& manner, Streams& streams);

}  // namespace futexmc::cli
