// SPDX-License-Identifier: GPL-2.0-or-later
//
// Malformed litmus tests and the diagnostic of each, as line:column: message. kCode has bodies of
// P0(int *x, int *y, spinlock_t *l), which begin on line 4; kWhole has complete texts.
#pragma once

#include <string_view>

namespace futexmc::proofs::lkmm::litmus::testing {

struct MalformedCase {
  std::string_view text;
  std::string_view expected;
};

inline constexpr MalformedCase kWhole[] = {
    {"", "1:1: a litmus test starts with 'C' and its name"},
    {"X86 SB\n{}\n", "1:1: a litmus test starts with 'C' and its name"},
    {"C \n{}\n", "1:1: the name of a test is one printable word"},
    {"C a b\n{}\n", "1:1: the name of a test is one printable word"},
    {"C t", "1:4: expected '{' before the initial values, found the end"},
    {"C t\n(* open\n{}", "2:1: comment is never closed"},
    {"C t\n{ /* open }", "2:3: comment is never closed"},
    {"C t\n{ x = $ }", "2:7: unexpected character '$'"},
    {"C t\n{ x = \xff }", "2:7: unexpected byte 0xff"},
    {"C t\n{ x = 2147483648 }", "2:7: number is larger than 2147483647"},
    {"C t\n{ x = 1; x = 2; }", "2:10: 'x' has two initial values"},
    {"C t\n{ x = - y; }", "2:9: expected a number after '-', found 'y'"},
    {"C t\n{ x = 1 y = 2 }", "2:9: expected ';' after an initial value, found 'y'"},
    {"C t\n{ 17:r0 = 1; }", "2:3: there is no thread 17"},
    {"C t\n{ 1 r0 = 1; }", "2:5: expected ':' after the number of a thread, found 'r0'"},
    {"C t\n{ x = ATOMIC_INIT 1; }", "2:19: expected '(' after ATOMIC_INIT, found '1'"},
    {"C t\n{ 3:r0 = 1; }\nP0(int *x) { }\nexists (x=1)", "2:3: there is no thread 3"},
    {"C t\n{ x }\nexists (x=1)", "3:1: expected a thread 'P0(...)', found 'exists'"},
    {"C t\n{}\nP1(int *x) { }", "3:1: expected a thread 'P0(...)', found 'P1'"},
    {"C t\n{}\nP0(int *x, int *x) { }", "3:17: 'x' is declared twice"},
    {"C t\n{}\nP0(int x) { }", "3:8: a parameter is a pointer"},
    {"C t\n{}\nP0(x) { }", "3:4: expected a type, found 'x'"},
    {"C t\n{}\nP0(struct *x) { }", "3:11: expected the name of a struct, found '*'"},
    {"C t\n{}\nP0(int *x int *y) { }", "3:11: expected ',' between parameters, found 'int'"},
    {"C t\n{}\nP0(int *x) { ", "3:14: expected '}' after the code, found the end"},
    {"C t\n{}\nP0(int *x) { }",
     "3:15: expected a thread or 'exists', '~exists' or 'forall', found the end"},
    {"C t\n{}\nP0(int *x) { }\n~ forall (x=1)", "4:3: expected 'exists' after '~', found 'forall'"},
    {"C t\n{}\nP0(int *x) { }\nlocations x", "4:11: expected '[' after 'locations', found 'x'"},
    {"C t\n{}\nP0(int *x) { }\nlocations [x", "4:13: expected ']', found the end"},
    {"C t\n{}\nP0(int *x) { }\nexists (z=1)", "4:9: there is no location 'z'"},
    {"C t\n{}\nP0(int *x) { }\nexists (0:r0=1)", "4:9: thread 0 has no register 'r0'"},
    {"C t\n{}\nP0(int *x) { }\nexists (0:x=1)", "4:9: thread 0 has no register 'x'"},
    {"C t\n{}\nP0(int *x) { }\nexists (1:r0=1)", "4:9: there is no thread 1"},
    {"C t\n{}\nP0(int *x) { }\nexists (x=z)", "4:11: there is no location 'z'"},
    {"C t\n{}\nP0(int *x) { }\nexists (x<1)", "4:10: expected '=' in a condition, found '<'"},
    {"C t\n{}\nP0(int *x) { }\nexists ([x=1)", "4:11: expected ']' after a location, found '='"},
    {"C t\n{}\nP0(int *x) { }\nexists (x=1", "4:12: expected ')' after a condition, found the end"},
    {"C t\n{}\nP0(int *x) { }\nexists (x=1 && x=2)",
     "4:13: '&&' and '||' are not read, as herd7 does not: use '/\\' and '\\/'"},
    {"C t\n{}\nP0(int *x) { }\nexists (x=1) x", "4:14: expected the end, found 'x'"},
};

inline constexpr MalformedCase kCode[] = {
    {"while (1) { }", "4:1: 'while' is not read: only straight code and if"},
    {"for (;;) { }", "4:1: 'for' is not read: only straight code and if"},
    {"do { } while (0);", "4:1: 'do' is not read: only straight code and if"},
    {"goto out;", "4:1: 'goto' is not read: only straight code and if"},
    {"return;", "4:1: 'return' is not read: only straight code and if"},
    {"int x;", "4:5: 'x' is a location already"},
    {"int r0", "5:1: expected ';' after a declaration, found '}'"},
    {"int;", "4:4: expected the name of a register, found ';'"},
    {"r0 = 1;", "4:1: 'r0' is not declared"},
    {"x = 1;", "4:1: 'x' is a location; write '*x'"},
    {"*z = 1;", "4:2: 'z' is not declared"},
    {"*x 1;", "4:4: expected '=' in a store, found '1'"},
    {"*x = 1", "5:1: expected ';' after a store, found '}'"},
    {"*x = ;", "4:6: expected an expression, found ';'"},
    {"*x = 1 +;", "4:9: expected an expression, found ';'"},
    {"*x = (1;", "4:8: expected ')' after an expression, found ';'"},
    {"*x = -x;", "4:7: expected a number after '-', found 'x'"},
    {"*x = !1;", "4:6: expected an expression, found '!'"},
    {"*x = 1 && 1;", "4:8: '&&' and '||' are not read, as herd7 does not: use nested if"},
    {"*x = smp_mb();", "4:6: 'smp_mb' gives no value"},
    {"*x = 1 + smp_mb();", "4:10: 'smp_mb' gives no value"},
    {"*x = smp_mb() + 1;", "4:6: 'smp_mb' gives no value"},
    {"*x = (smp_mb());", "4:7: 'smp_mb' gives no value"},
    {"READ_ONCE(*x);",
     "4:1: the value of 'READ_ONCE' must go to a register, as herd7 wants it"},
    {"smp_mb()", "5:1: expected ';' after a call, found '}'"},
    {"smp_mb(1);", "4:8: expected ')' after the arguments, found '1'"},
    {"smp_mb_relaxed();", "4:1: function 'smp_mb_relaxed' is not known"},
    {"msleep(1);", "4:1: function 'msleep' is not known"},
    {"WRITE_ONCE(x, 1);", "4:12: expected '*' before the location, found 'x'"},
    {"WRITE_ONCE(*x);", "4:14: expected ',' between arguments, found ')'"},
    {"WRITE_ONCE(*x, 1, 2);", "4:17: expected ')' after the arguments, found ','"},
    {"atomic_add(x);", "4:13: expected ',' between arguments, found ')'"},
    {"atomic_inc(*x);", "4:12: expected a name, found '*'"},
    {"spin_lock(q);", "4:11: 'q' is not declared"},
    {"if 1 { }", "4:4: expected '(' after 'if', found '1'"},
    {"if (1 { }", "4:7: expected ')' after the condition, found '{'"},
    {"if (1)", "5:1: expected a statement, found '}'"},
    {"else { }", "4:1: 'else' is not declared"},
    {"1;", "4:1: expected a statement, found '1'"},
};

}  // namespace futexmc::proofs::lkmm::litmus::testing
