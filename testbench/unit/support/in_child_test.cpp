#include "testbench/support/in_child.h"

#include <chrono>
#include <csignal>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>

#include <gtest/gtest.h>

namespace mrcnic::testbench {
namespace {

using namespace std::chrono_literals;

TEST(InChild, ReturnsTheAnswerAndTheText)
{
    const std::string long_answer(300'000, 'x');  // more than a pipe holds
    const ChildResult result = in_child(
        [&long_answer] {
            std::cout << "out ";
            std::cout.flush();
            std::cerr << "err";
            return long_answer;
        },
        20s);
    EXPECT_TRUE(result.ended_well());
    EXPECT_EQ(result.describe(), "ended well");
    EXPECT_EQ(result.answer, long_answer);
    EXPECT_EQ(result.text, "out err");
}

TEST(InChild, TellsOfAnException)
{
    const ChildResult result = in_child([]() -> std::string { throw std::runtime_error{"broken"}; }, 20s);
    EXPECT_FALSE(result.ended_well());
    EXPECT_EQ(result.describe(), "exit code 1");
    EXPECT_EQ(result.text, "broken\n");
}

TEST(InChild, TellsOfASignal)
{
    const ChildResult result = in_child(
        []() -> std::string {
            std::raise(SIGTERM);
            return {};
        },
        20s);
    EXPECT_FALSE(result.ended_well());
    EXPECT_EQ(result.signal, SIGTERM);
}

TEST(InChild, EndsAtTheTimeLimit)
{
    const ChildResult result = in_child(
        []() -> std::string {
            std::this_thread::sleep_for(60s);
            return {};
        },
        100ms);
    EXPECT_TRUE(result.timed_out);
    EXPECT_FALSE(result.ended_well());
}

}  // namespace
}  // namespace mrcnic::testbench
