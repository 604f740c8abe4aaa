#include "mrcnic/workload/exponential.h"

namespace mrcnic::workload {

namespace {
__extension__ using Wide = unsigned __int128;

constexpr unsigned kUniformBits = 53;
constexpr unsigned kLogBits = 56;  // of the fraction of the binary logarithm
constexpr double kLn2 = 0x1.62e42fefa39efp-1;
}  // namespace

double minus_log(std::uint64_t n) noexcept
{
    // n = m x 2^(e - 63) with the top bit of m set, so that m / 2^63 is in [1, 2).
    unsigned exponent = 63;
    std::uint64_t mantissa = n;
    while (mantissa >> 63U == 0) {
        mantissa <<= 1U;
        --exponent;
    }
    // Squaring doubles the logarithm: what passes 2 gives the next bit of the fraction.
    std::uint64_t logarithm = exponent;
    for (unsigned bit = 0; bit < kLogBits; ++bit) {
        const Wide square = static_cast<Wide>(mantissa) * mantissa;
        const auto carry = static_cast<unsigned>(square >> 127U);
        mantissa = static_cast<std::uint64_t>(square >> (63U + carry));
        logarithm = (logarithm << 1U) | carry;
    }
    const std::uint64_t missing = (std::uint64_t{kUniformBits} << kLogBits) - logarithm;
    return static_cast<double>(missing) * 0x1p-56 * kLn2;
}

double exponential(std::mt19937_64& generator) noexcept
{
    // 1 - u, where u is `uniform(generator)`.
    return minus_log((std::uint64_t{1} << kUniformBits) - (generator() >> (64U - kUniformBits)));
}

}  // namespace mrcnic::workload
