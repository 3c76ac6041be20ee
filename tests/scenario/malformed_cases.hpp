// SPDX-License-Identifier: GPL-2.0-or-later
//
// The table of malformed scenarios. `expected` has a line `line:column: message` for each
// diagnostic.
#pragma once

#include <ostream>
#include <string_view>

namespace futexmc::scenario::testing {

using namespace std::string_view_literals;

struct MalformedCase {
  std::string_view text;
  std::string_view expected;

  friend std::ostream& operator<<(std::ostream& out, const MalformedCase& c) {
    return out << c.expected;
  }
};

inline constexpr MalformedCase kSyntaxCases[] = {
    {"", "1:1: a scenario needs a thread"},
    {"// nothing\r\n", "1:1: a scenario needs a thread"},
    {"thread w { }\n/* open", "2:1: comment is never closed"},
    {"thread w\0{ }"sv, "1:9: byte 0x00 is a control character or not UTF-8"},
    {"thread w { }\n\x1b[2J", "2:1: byte 0x1b is a control character or not UTF-8"},
    {"thread w { }\rword", "1:13: byte 0x0d is a control character or not UTF-8"},
    {"// \xff", "1:4: byte 0xff is a control character or not UTF-8"},
    {"// \xc2\x9b", "1:4: byte 0xc2 is a control character or not UTF-8"},
    {"// \xed\xa0\x80", "1:4: byte 0xed is a control character or not UTF-8"},
    {"w\xc3\xb6\xc3\xb6rd f = 0;",
     "1:2: only comments and titles may hold characters beyond ASCII"},
    {"title \"open;\nthread w { }", "1:7: string is not closed on its line"},
    {"title open;\nthread w { }", "1:7: expected a title in quotes, found 'open'"},
    {"thread w { int r = 7 % 2; }", "1:22: unexpected character '%'"},
    {"word f = 0x;", "1:10: malformed number"},
    {"word f = 12ab;", "1:10: malformed number"},
    {"word f = 010;", "1:10: octal numbers are not supported; drop the leading 0"},
    {"word f = 4294967296;", "1:10: number is larger than 4294967295"},
    {"word f = 0xfffffffffffffffffffffffffffffffff;", "1:10: number is larger than 4294967295"},
    {"word abcdefghijklmnopqrstuvwxyz0123456 = 0;", "1:6: name is longer than 31 characters"},
    {"wrod f = 0;\nthread w { }",
     "1:1: unknown declaration or setting 'wrod'; did you mean 'word'?"},
    {"memory tso;\nthread w { }", "1:1: unknown declaration or setting 'memory'"},
    {"; thread w { }", "1:1: expected a declaration or setting, found ';'"},
    {"word f;\nthread w { }", "1:7: expected '=' (a word needs a first value), found ';'"},
    {"word f = 0\nthread w { }", "2:1: expected ';' after 'word', found 'thread'"},
    {"word load = 0;\nthread w { }", "1:6: 'load' is a reserved word"},
    {"thread { }", "1:8: expected a name after 'thread', found '{'"},
    {"thread w", "1:9: expected '{' after the thread's name and attributes, found the end of the "
                 "file"},
    {"thread w {\n  settle;\n", "1:10: '{' is never closed"},
    {"thread w {\n  settle\n}", "3:1: expected ';' after 'settle', found '}'"},
    {"thread w {\n  ;\n}", "2:3: expected a statement or '}', found ';'"},
    {"thread w {\n  settle;\nthread v { }", "3:1: expected a statement or '}', found 'thread'"},
    {"thread w { int r; }", "1:17: expected '=' (a register needs a first value), found ';'"},
    {"thread w { int r = (1 + 2; }", "1:26: expected ')' to close the parenthesis, found ';'"},
    {"thread w { int r = 0; r += 1; }", "1:26: expected an expression, found '='"},
    {"thread w { if 1 { } }", "1:15: expected '(' after 'if', found '1'"},
    {"thread w { while (1) settle; }", "1:22: expected '{' after the condition, found 'settle'"},
    {"thread w { if (1) { } else settle; }", "1:28: expected '{' after 'else', found 'settle'"},
    {"thread w { repeat (n) { } }", "1:20: expected a number of times, found 'n'"},
    {"thread w { GET_SLOTS; }", "1:21: expected '(' after 'GET_SLOTS', found ';'"},
    {"thread w { int r = \"1\"; }", "1:20: expected an expression, found a string"},
};

inline constexpr MalformedCase kSettingCases[] = {
    {"hash private(3);\nhash global;\nthread w { }", "2:1: 'hash' is set twice"},
    {"hash private(3);\nthread w { }",
     "1:14: the size of a private hash must be a power of two between 2 and 8"},
    {"hash private(1);\nthread w { }",
     "1:14: the size of a private hash must be a power of two between 2 and 8"},
    {"hash private(128);\nthread w { }",
     "1:14: the size of a private hash must be a power of two between 2 and 8"},
    {"hash local;\nthread w { }", "1:6: expected 'none', 'global' or 'private(n)', found 'local'"},
    {"hash private;\nthread w { }", "1:13: expected '(' after 'private', found ';'"},
    {"cpus 0;\nthread w { }", "1:6: 'cpus' must be between 1 and 8"},
    {"cpus 9;\nthread w { }", "1:6: 'cpus' must be between 1 and 8"},
    {"cpus 1; cpus 1;\nthread w { }", "1:9: 'cpus' is set twice"},
    {"scheduling fifo;\nthread w { }", "1:12: expected 'any' or 'strict', found 'fifo'"},
    {"scheduling any; scheduling any;\nthread w { }", "1:17: 'scheduling' is set twice"},
    {"thread w priority 2 { }",
     "1:19: a priority means something with 'scheduling strict' or PI futexes only"},
    {"scheduling any;\nthread w priority 2 { }",
     "2:19: a priority means something with 'scheduling strict' or PI futexes only"},
    {"scheduling strict;\nthread w priority 0 { }",
     "2:19: a priority must be between 1 and 99"},
    {"scheduling strict;\nthread w priority 100 { }",
     "2:19: a priority must be between 1 and 99"},
    {"scheduling strict;\nthread w priority 1 priority 2 { }",
     "2:21: 'priority' is given twice"},
    {"scheduling strict;\nthread w priority { }", "2:19: expected a priority, found '{'"},
    {"budget signals 1;\nthread w { }", "1:8: unknown budget 'signals'; did you mean 'signal'?"},
    {"budget signal 5;\nthread w { }", "1:15: 'signal' must be between 0 and 4"},
    {"budget signal -1;\nthread w { }", "1:15: 'signal' must be between 0 and 4"},
    {"budget fault 1;\nbudget fault 2;\nthread w { }", "2:8: 'fault' is set twice"},
    {"budget fault;\nthread w { }", "1:13: expected a number after 'fault', found ';'"},
    {"budget;\nthread w { }", "1:7: expected a setting, found ';'"},
    {"sizing minimal 2;\nthread w { }",
     "1:8: unknown sizing constant 'minimal'; did you mean 'minimum'?"},
    {"sizing maximum 6;\nthread w { }",
     "1:16: 'maximum' must be a power of two between 2 and 8"},
    {"sizing per_thread 17;\nthread w { }", "1:19: 'per_thread' must be between 1 and 16"},
    {"sizing minimum 8;\nthread w { }", "1:8: sizing: minimum 8 exceeds maximum 4"},
    {"word f = 0; collide f;\nthread w { }", "1:22: expected ',' and a second word, found ';'"},
    {"word f = 0; collide f, f;\nthread w { }", "1:24: 'f' always shares a bucket with itself"},
    {"word f = 0; var v = 0; collide f, v;\nthread w { }",
     "1:35: 'v' is a var: only words have a bucket"},
    {"word f = -1;\nthread w { }", "1:10: a first value must be between 0 and 4294967295"},
};

inline constexpr MalformedCase kNameCases[] = {
    {"word f = 0; var f = 0;\nthread w { }", "1:17: 'f' is already declared"},
    {"word w = 0;\nthread w { }", "2:8: 'w' is already declared"},
    {"hash global; thread w { }\nthread w { }", "2:8: 'w' is already declared"},
    {"word f = 0;\nthread w { int f = 0; }", "2:16: 'f' is already declared"},
    {"thread w { int r = 0; int r = 0; }", "1:27: 'r' is already declared"},
    {"word flag = 0;\nthread w { load(flg); }",
     "2:17: 'flg' is not declared; did you mean 'flag'?"},
    {"word flag = 0;\nthread w { load(z); }", "2:17: 'z' is not declared"},
    {"thread w { int ret = rte; }", "1:22: 'rte' is not declared"},
    {"thread w { int ret = 0; ret = rt + 1; }",
     "1:31: 'rt' is not declared; did you mean 'ret'?"},
    {"thread w { r = 1; int r = 0; }", "1:12: register 'r' is used before its declaration"},
    {"thread w { int r = r; }", "1:20: register 'r' is used before its declaration"},
    {"thread w { if (1) { int r = 0; } }",
     "1:21: registers are declared at the top level of a thread"},
    {"word f = 0;\nthread w { f = 1; }", "2:12: 'f' is shared: write it with store(f, ...)"},
    {"word f = 0;\nthread w { int r = f; }", "2:20: 'f' is shared: read it with load(f)"},
    {"thread w { int r = 0; r = w.r; }",
     "1:27: a thread sees only its own registers, by their names alone"},
    {"word a = 0; word b = 0; word c = 0; word d = 0; word e = 0;\n"
     "var f = 0; var g = 0; var h = 0; var i = 0;\nthread w { }",
     "2:38: a scenario has at most 8 words and vars"},
};

inline constexpr MalformedCase kCallCases[] = {
    {"word f = 0;\nthread w { futex_wiat(f, 0); }",
     "2:12: unknown function 'futex_wiat'; did you mean 'futex_wait'?"},
    {"thread w { printk(1); }", "1:12: unknown function 'printk'"},
    {"var v = 0;\nthread w { futex_wait(v, 0); }",
     "2:23: 'v' is a var: a futex call needs a word"},
    {"word f = 0;\nthread w { futex_wait(f); }", "2:12: 'futex_wait' takes 2 arguments, not 1"},
    {"thread w { SET_SLOTS(); }", "1:12: 'SET_SLOTS' takes 1 argument, not 0"},
    {"thread w { load(1); }", "1:17: the first argument of 'load' is the name of a word or var"},
    {"thread w { load(w); }", "1:17: 'w' is a thread, not a word"},
    {"word f = 0;\nthread w { int r = store(f, 1); }", "2:20: 'store' gives no value"},
    {"word f = 0;\nthread w { load(f) + 1; }",
     "2:12: statement has no effect: expected an assignment or a call"},
    {"word f = 0;\nthread w { futex_wake(f, 1, timeout); }",
     "2:29: 'futex_wake' does not take 'timeout'"},
    {"word f = 0;\nthread w { load(f, release); }", "2:20: 'load' does not take 'release'"},
    {"word f = 0;\nthread w { store(f, 1, acquire); }", "2:24: 'store' does not take 'acquire'"},
    {"word f = 0;\nthread w { futex_wake(f, 1, shared, shared); }",
     "2:37: 'shared' is given twice"},
    {"word f = 0;\nthread w { load(f, relaxed, acquire); }",
     "2:29: a memory order is given twice"},
    {"word f = 0;\nthread w { store(f, relaxed, 1); }", "2:30: arguments come before options"},
    {"word f = 0;\nthread w { futex_wait(f, 0, bitset); }",
     "2:35: expected a number after 'bitset', found ')'"},
    {"word f = 0;\nthread w { futex_wait(f, 0, bitset -1); }",
     "2:36: a bitset must be between 0 and 4294967295"},
    {"thread w { int r = asleep(w); }", "1:20: 'asleep' may only be called in conditions"},
    {"word f = 0;\nthread w { futex_cmp_requeue_pi(f, 1); }",
     "2:12: 'futex_cmp_requeue_pi' takes 5 arguments, not 2"},
    {"word f = 0;\nthread w { futex_waitv(f, 0, f); }",
     "2:12: 'futex_waitv' takes one to 4 pairs of a word and a value"},
    {"word f = 0;\nthread w { futex_waitv(f, shared, 0); }",
     "2:27: options follow a word and its value"},
    {"word f = 0;\nthread w { futex_waitv(f, 0, shared, f, 0, shared, shared); }",
     "2:52: 'shared' is given twice"},
    {"word f = 0;\nthread w { futex_waitv(f, 0, flags 0x10000); }",
     "2:36: flags must be between 0 and 65535"},
    {"word f = 0; var v = 0;\nthread w { futex_requeue(f, 0, 1, v); }",
     "2:35: 'v' is a var: a futex call needs a word"},
    {"word f = 0 unmapped;\nthread w { load(f); }",
     "2:17: 'f' is no ordinary word: 'load' cannot use it"},
    {"var f = 0 unmapped;\nthread w { }", "1:11: expected ';' after 'var', found 'unmapped'"},
    {"word f = 0;\nthread w { futex_wake(f, 0, flags 0x200); }",
     "2:35: these flags are not modelled"},
    {"word f = 0;\nthread w { futex2_wake(f, 0, flags 0x86); }",
     "2:36: these flags are not modelled"},
    {"signals maybe;\nthread w { }",
     "1:9: expected 'interrupt', 'restart' or 'stop', found 'maybe'"},
    {"word f = 0;\nthread w { futex_requeue(f, 0, 1, 1); }",
     "2:35: this argument of 'futex_requeue' is the name of a word or var"},
    {"word f = 0;\nthread w { futex_wake_op(f, 1, 1, f, sub, 0, eq, 0); }",
     "2:38: expected an operator: set, add, or, andn, xor, or a number up to 15"},
    {"word f = 0;\nthread w { futex_wake_op(f, 1, 1, f, set, 0, 16, 0); }",
     "2:46: expected a comparison: eq, ne, lt, le, gt, ge, or a number up to 15"},
    {"word f = 0;\nthread w { futex_wake_op(f, 1, 1, f, set, 4096, eq, 0); }",
     "2:43: an operand of the operation is a constant from -2048 to 4095"},
    {"thread w { repeat (0) { } }", "1:20: the number of times must be between 1 and 1000"},
    {"thread w { repeat (1001) { } }", "1:20: the number of times must be between 1 and 1000"},
};

inline constexpr MalformedCase kThreadCases[] = {
    {"thread w { }\nthread v { }",
     "2:8: with 'hash none', the default, one thread runs at the start: mark 'v' 'cloned', or set "
     "'hash global' or 'hash private(n)'"},
    {"thread w { }\nthread v cloned { }", "2:8: no thread that runs clones 'v'"},
    {"thread w { }\nthread v cloned { clone(v); }", "2:8: no thread that runs clones 'v'"},
    {"thread w cloned { }", "1:8: no thread that runs clones 'w'"},
    {"hash global; thread w { clone(v); }\nthread v { }", "1:31: 'v' is not marked 'cloned'"},
    {"thread helper cloned { }\nthread w { clone(helpr); }",
     "2:18: 'helpr' is not declared; did you mean 'helper'?"},
    {"word f = 0;\nthread w { clone(f); }", "2:18: 'f' is not a thread"},
    {"cpus 2;\nthread w on cpu 2 { }",
     "2:17: no such CPU: the scenario has 2, counted from 0"},
    {"thread w on cpu 1 { }",
     "1:17: no such CPU: the scenario has 1, one for each thread, as it does not set 'cpus', "
     "counted from 0"},
    {"thread w on 1 { }", "1:13: expected 'cpu' after 'on', found '1'"},
    {"thread w may_slep { }",
     "1:10: unknown thread attribute 'may_slep'; did you mean 'may_sleep'?"},
    {"thread w may_sleep may_sleep { }", "1:20: 'may_sleep' is given twice"},
    {"hash global; thread a { } thread b { } thread c { } thread d { }\n"
     "thread e { } thread f { } thread g { }",
     "2:34: a scenario has at most 6 threads"},
    {"thread w { int a=0; int b=0; int c=0; int d=0; int e=0; int f=0; int g=0; int h=0;\n"
     "int i=0; int j=0; int k=0; int l=0; int m=0; int n=0; int o=0; int p=0; int q=0;\n"
     "int r=0; int s=0; int t=0; int u=0; int v=0; int x=0; int y=0; repeat (1) { } }",
     "1:8: thread 'w' needs 25 registers for declarations and repeats, and has 24"},
    {"thread w { int r = 0;\n r = 1+(2*(3+(4*(5+(6*(7+(8*(9+(1*(2+(3*(4+(5*(6+(7*(8+(9*(1+(2*(3+\n"
     " (4*(5+(6*7))))))))))))))))))))))); }",
     "2:2: statement needs too many registers: a thread has 24, declared ones, repeat counters and "
     "intermediate results together"},
};

inline constexpr MalformedCase kConditionCases[] = {
    {"word f = 0;\nthread w { }\nfinally load(f) == 0;",
     "3:9: conditions may call asleep, finished, tid and slots, not 'load'"},
    {"thread w { }\nfinally asleep(v);", "2:16: 'v' is not declared"},
    {"thread w { }\nfinally asleep();", "2:9: 'asleep' takes the name of a thread"},
    {"thread w { }\nfinally asleep(1);", "2:9: 'asleep' takes the name of a thread"},
    {"thread w { }\nfinally slots(w) == 2;", "2:9: 'slots' takes no argument"},
    {"thread w { }\nfinally w == 0;",
     "2:9: 'w' is a thread: write w.register, asleep(w) or finished(w)"},
    {"thread w { int ret = 0; }\nnever ret == 0;", "2:7: 'ret' is a register: write w.ret"},
    {"thread w { int ret = 0; }\nnever w.rat == 0;",
     "2:9: thread 'w' has no register 'rat'; did you mean 'ret'?"},
    {"thread w { }\nsometimes 1 +;", "2:14: expected an expression, found ';'"},
    {"thread w { }\nsometimes 1",
     "2:12: expected ';' after 'sometimes', found the end of the file"},
};

}  // namespace futexmc::scenario::testing
