#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace mrcnic {

/// Base of everything that travels through sockets: counts its references and goes home with the last one.
class Pooled {
public:
    Pooled(const Pooled&) = delete;
    Pooled& operator=(const Pooled&) = delete;

    void acquire() noexcept { ++references_; }
    void release() noexcept
    {
        if (--references_ == 0) {
            go_home();
        }
    }
    [[nodiscard]] std::uint32_t references() const noexcept { return references_; }

protected:
    Pooled() = default;
    virtual ~Pooled() = default;

private:
    virtual void go_home() noexcept = 0;

    std::uint32_t references_{0};
};

/// Shared ownership of a pooled payload; the last one to go sends it home, reset.
template <typename Payload>
class Ref {
public:
    Ref() noexcept = default;
    explicit Ref(Payload& payload) noexcept : payload_{&payload} { payload_->acquire(); }
    Ref(const Ref& other) noexcept : payload_{other.payload_}
    {
        if (payload_ != nullptr) {
            payload_->acquire();
        }
    }
    Ref(Ref&& other) noexcept : payload_{std::exchange(other.payload_, nullptr)} {}
    Ref& operator=(Ref other) noexcept
    {
        std::swap(payload_, other.payload_);
        return *this;
    }
    ~Ref() { reset(); }

    /// Lets go of the payload.
    void reset() noexcept
    {
        if (Payload* payload = std::exchange(payload_, nullptr)) {
            payload->release();
        }
    }

    /// Takes over a reference that somebody else holds and gives up.
    [[nodiscard]] static Ref adopt(Payload* payload) noexcept
    {
        Ref ref;
        ref.payload_ = payload;
        return ref;
    }
    /// Gives the reference away: the taker must `adopt` or release it.
    [[nodiscard]] Payload* detach() noexcept { return std::exchange(payload_, nullptr); }

    Payload& operator*() const noexcept { return *payload_; }
    Payload* operator->() const noexcept { return payload_; }
    [[nodiscard]] Payload* get() const noexcept { return payload_; }
    explicit operator bool() const noexcept { return payload_ != nullptr; }

private:
    Payload* payload_{nullptr};
};

/// Hands out payloads without allocating in the steady state.
///
/// `Payload` has `void reset()`, called when it goes home. Payloads may outlive the pool: the last one that comes home
/// then takes the store down with it.
template <typename Payload>
class Pool {
public:
    Pool() : store_{new Store} {}
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;
    ~Pool()
    {
        store_->orphaned = true;
        if (store_->live() == 0) {
            delete store_;
        }
    }

    [[nodiscard]] Ref<Payload> make()
    {
        if (store_->free.empty()) {
            store_->all.push_back(new Item{*store_});
            store_->free.reserve(store_->all.capacity());
            store_->free.push_back(store_->all.back());
        }
        Item* item = store_->free.back();
        store_->free.pop_back();
        return Ref<Payload>{*item};
    }

    /// Payloads out of the pool; 0 at the end of every test.
    [[nodiscard]] std::size_t live() const noexcept { return store_->live(); }
    /// Payloads ever made: how many were alive at once, at most.
    [[nodiscard]] std::size_t peak() const noexcept { return store_->all.size(); }

private:
    struct Store;

    class Item final : public Payload {
    public:
        explicit Item(Store& store) : store_{store} {}

    private:
        void go_home() noexcept override
        {
            this->reset();
            store_.take_back(*this);
        }
        Store& store_;
    };

    struct Store {
        std::vector<Item*> all;
        std::vector<Item*> free;
        bool orphaned{false};

        ~Store()
        {
            for (Item* item : all) {
                delete item;
            }
        }
        [[nodiscard]] std::size_t live() const noexcept { return all.size() - free.size(); }
        void take_back(Item& item) noexcept
        {
            free.push_back(&item);  // never grows here: make() keeps room for all
            if (orphaned && live() == 0) {
                delete this;
            }
        }
    };

    Store* store_;
};

}  // namespace mrcnic
