// SPDX-License-Identifier: GPL-2.0-or-later
//
// From z3's model of a graph to an execution a reader can follow.
#pragma once

#include "properties/proofs/lkmm/model.hpp"

namespace futexmc::proofs::lkmm {

Execution read_execution(const Graph& graph, const Communication& communication,
                         const z3::model& model);

}  // namespace futexmc::proofs::lkmm
