// SPDX-License-Identifier: GPL-2.0-or-later
//
// The stored verdicts of herd7: tests/litmus/*.txt, made by tests/litmus/verdicts.sh.
#pragma once

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace futexmc::proofs::lkmm::litmus::testing {

struct Stored {
  std::string name;
  std::string observation;  ///< Never, Sometimes or Always
  std::string race;         ///< race or no-race
};

inline std::vector<Stored> stored(const std::string& file) {
  std::ifstream in(std::string(FUTEXMC_TEST_DIR) + "/../litmus/" + file);
  if (!in) throw std::runtime_error("cannot read the verdicts in " + file);
  std::vector<Stored> result;
  for (Stored s; in >> s.name >> s.observation >> s.race;) result.push_back(s);
  return result;
}

}  // namespace futexmc::proofs::lkmm::litmus::testing
