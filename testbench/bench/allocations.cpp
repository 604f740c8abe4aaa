#include "testbench/bench/allocations.h"

#include <malloc.h>

#include <cstdlib>
#include <new>

namespace {

mrcnic::bench::Allocations counted;

void* count_in(void* memory)
{
    if (memory == nullptr) {
        throw std::bad_alloc{};
    }
    ++counted.calls;
    counted.live_bytes += static_cast<std::int64_t>(malloc_usable_size(memory));
    return memory;
}

void count_out(void* memory) noexcept
{
    counted.live_bytes -= static_cast<std::int64_t>(malloc_usable_size(memory));
    std::free(memory);
}

// aligned_alloc wants a multiple of the alignment.
std::size_t round_up(std::size_t size, std::size_t alignment)
{
    return (size + alignment - 1) / alignment * alignment;
}

}  // namespace

namespace mrcnic::bench {

Allocations allocations() noexcept
{
    return counted;
}

}  // namespace mrcnic::bench

// The forms for arrays and those that do not throw call these.
void* operator new(std::size_t size)
{
    return count_in(std::malloc(size == 0 ? 1 : size));
}

void* operator new(std::size_t size, std::align_val_t alignment)
{
    const auto bytes = static_cast<std::size_t>(alignment);
    return count_in(std::aligned_alloc(bytes, round_up(size == 0 ? 1 : size, bytes)));
}

void operator delete(void* memory) noexcept
{
    count_out(memory);
}

void operator delete(void* memory, std::size_t /*size*/) noexcept
{
    count_out(memory);
}

void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept
{
    count_out(memory);
}

void operator delete(void* memory, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept
{
    count_out(memory);
}
