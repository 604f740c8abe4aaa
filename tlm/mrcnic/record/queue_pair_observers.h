#pragma once

#include <cstdint>
#include <vector>

#include "mrcnic/transport/observer.h"

namespace mrcnic::record {

/// Several observers in the place of one, told in the order in which they were added.
class QueuePairObservers : public transport::QueuePairObserver {
public:
    using End = transport::ConnectionEnd;
    using Message = transport::ObservedMessage;

    /// `observer` must live as long as the object hears of anything.
    void add(transport::QueuePairObserver& observer) { observers_.push_back(&observer); }
    [[nodiscard]] bool is_empty() const noexcept { return observers_.empty(); }

    void qp_created(const End& end) override { tell(&QueuePairObserver::qp_created, end); }
    void wqe_created(const End& end, const Message& message) override
    {
        tell(&QueuePairObserver::wqe_created, end, message);
    }
    void send_complete(const End& end, const Message& message) override
    {
        tell(&QueuePairObserver::send_complete, end, message);
    }
    void packet_repeated(const End& end, std::uint64_t message_id) override
    {
        tell(&QueuePairObserver::packet_repeated, end, message_id);
    }
    void wqe_complete(const End& end, const Message& message) override
    {
        tell(&QueuePairObserver::wqe_complete, end, message);
    }
    void recv_complete(const End& end) override { tell(&QueuePairObserver::recv_complete, end); }
    void qp_terminated(const End& end) override { tell(&QueuePairObserver::qp_terminated, end); }

private:
    template <typename Method, typename... Arguments>
    void tell(Method method, const Arguments&... arguments)
    {
        for (QueuePairObserver* observer : observers_) {
            (observer->*method)(arguments...);
        }
    }

    std::vector<QueuePairObserver*> observers_;
};

}  // namespace mrcnic::record
