// SPDX-License-Identifier: GPL-2.0-or-later
//
// A scenario and what it runs on, as a test's parameter: small ones, on v7.3 and faulty variants.
#pragma once

#include <ostream>

#include "tests/properties/run.hpp"

namespace futexmc::testing {

struct Subject {
  std::string scenario;
  std::string change;  ///< a patch, a knock-out, or nothing
};

inline bool is_patch(const std::string& change) {
  const auto& patches = model::patches();
  return std::any_of(patches.begin(), patches.end(),
                     [&](const model::Change& one) { return one.name == change; });
}

inline model::Variant variant_of(const Subject& subject) {
  if (subject.change.empty()) return v7_3();
  return is_patch(subject.change) ? with_patch(subject.change) : with_knockout(subject.change);
}

/// wake_resize_with_bucket_ref_tglx, wake_resize_without_put_wake
inline std::string subject_name(const ::testing::TestParamInfo<Subject>& info) {
  const Subject& subject = info.param;
  if (subject.change.empty()) return test_name(subject.scenario);
  return test_name(subject.scenario + (is_patch(subject.change) ? "-with-" : "-without-") +
                   subject.change);
}

inline void PrintTo(const Subject& subject, std::ostream* out) {
  *out << subject.scenario << ' ' << subject.change;
}

/// Each of the scenarios on v7.3, and with each knock-out that the table catches in it.
inline std::vector<Subject> with_knockouts(const std::vector<std::string>& scenarios) {
  std::vector<Subject> subjects;
  for (const std::string& name : scenarios) {
    subjects.push_back({name, ""});
    for (const model::KnockoutInfo& info : model::knockouts()) {
      if (is_caught(info) && info.scenario == name) subjects.push_back({name, info.name});
    }
  }
  return subjects;
}

}  // namespace futexmc::testing
