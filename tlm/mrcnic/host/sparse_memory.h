#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace mrcnic::host {

/// Bytes of a 64-bit address space, of which only pages that were written (or asked for) exist.
///
/// A page never moves and is never given up before the memory itself, so a pointer into it stays good. Knows no kernel
/// and no range: the caller makes sure that `address + length` does not pass 2^64.
class SparseMemory {
public:
    static constexpr std::uint64_t kPageBytes = 4096;
    using Page = std::array<std::uint8_t, kPageBytes>;

    SparseMemory();
    SparseMemory(const SparseMemory&) = delete;
    SparseMemory& operator=(const SparseMemory&) = delete;
    ~SparseMemory();

    /// Copies `length` bytes from `address` on; bytes never written are 0. Allocates nothing.
    void read(std::uint64_t address, std::uint8_t* to, std::size_t length) const;
    /// Copies `length` bytes to `address` on, making the pages that do not exist yet.
    void write(std::uint64_t address, const std::uint8_t* from, std::size_t length);
    /// The page that holds `address`, made if it does not exist yet.
    [[nodiscard]] Page& page(std::uint64_t address);

    /// Pages that exist.
    [[nodiscard]] std::uint64_t pages() const noexcept { return pages_; }

private:
    static constexpr unsigned kBitsPerLevel = 9;
    static constexpr unsigned kLevels = 6;  // 6 x 9 bits hold the 52 of a page number

    // Like a processor's page table: a table of a level has as many bytes as a page, and finding one costs no hash.
    template <unsigned Level>
    struct Table {
        std::array<std::unique_ptr<Table<Level - 1>>, std::size_t{1} << kBitsPerLevel> children;
    };

    template <unsigned Level>
    static Table<0>* find(const Table<Level>& table, std::uint64_t page_number);
    template <unsigned Level>
    Table<0>& make(Table<Level>& table, std::uint64_t page_number);
    template <unsigned Level>
    static std::size_t index(std::uint64_t page_number);

    std::unique_ptr<Table<kLevels>> root_;
    std::uint64_t pages_{0};
};

template <>
struct SparseMemory::Table<0> {
    Page bytes{};
};

}  // namespace mrcnic::host
