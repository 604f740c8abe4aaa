#include "mrcnic/host/sparse_memory.h"

#include <algorithm>
#include <cstring>

namespace mrcnic::host {

namespace {

/// Bytes from `address` to the end of its page, at most `length`.
std::size_t part_in_page(std::uint64_t address, std::size_t length)
{
    return std::min<std::size_t>(length, SparseMemory::kPageBytes - address % SparseMemory::kPageBytes);
}

}  // namespace

// No table before the first page: with `PayloadMode = "sizes"` a memory is never written.
SparseMemory::SparseMemory() = default;
SparseMemory::~SparseMemory() = default;

template <unsigned Level>
std::size_t SparseMemory::index(std::uint64_t page_number)
{
    return page_number >> (kBitsPerLevel * (Level - 1)) & ((1U << kBitsPerLevel) - 1);
}

template <unsigned Level>
SparseMemory::Table<0>* SparseMemory::find(const Table<Level>& table, std::uint64_t page_number)
{
    const auto& child = table.children[index<Level>(page_number)];
    if constexpr (Level == 1) {
        return child.get();
    } else {
        return child ? find(*child, page_number) : nullptr;
    }
}

template <unsigned Level>
SparseMemory::Table<0>& SparseMemory::make(Table<Level>& table, std::uint64_t page_number)
{
    auto& child = table.children[index<Level>(page_number)];
    if (!child) {
        child = std::make_unique<Table<Level - 1>>();
        pages_ += Level == 1 ? 1U : 0U;
    }
    if constexpr (Level == 1) {
        return *child;
    } else {
        return make(*child, page_number);
    }
}

void SparseMemory::read(std::uint64_t address, std::uint8_t* to, std::size_t length) const
{
    while (length > 0) {
        const std::size_t part = part_in_page(address, length);
        if (const Table<0>* page = root_ ? find(*root_, address / kPageBytes) : nullptr) {
            std::memcpy(to, page->bytes.data() + address % kPageBytes, part);
        } else {
            std::memset(to, 0, part);
        }
        address += part;
        to += part;
        length -= part;
    }
}

void SparseMemory::write(std::uint64_t address, const std::uint8_t* from, std::size_t length)
{
    while (length > 0) {
        const std::size_t part = part_in_page(address, length);
        std::memcpy(page(address).data() + address % kPageBytes, from, part);
        address += part;
        from += part;
        length -= part;
    }
}

SparseMemory::Page& SparseMemory::page(std::uint64_t address)
{
    if (!root_) {
        root_ = std::make_unique<Table<kLevels>>();
    }
    return make(*root_, address / kPageBytes).bytes;
}

}  // namespace mrcnic::host
