#include "mrcnic/pcie/transaction_layer.h"

#include "mrcnic/base/report.h"

namespace mrcnic::pcie {

namespace {

TransactionLayer::Parameters end_of_link(const config::PcieSide& side, bool trains, EventClass transfer_end,
                                         Place place)
{
    TransactionLayer::Parameters parameters;
    parameters.transmit.rate = side.rate();
    parameters.transmit.header_buffer = side.tx_header_buffer;
    parameters.transmit.data_buffer = side.tx_data_buffer;
    parameters.transmit.trains = trains;
    parameters.receive_buffer = {side.rx_header_buffer, side.rx_data_buffer};
    parameters.transfer_end = transfer_end;
    parameters.place = place;
    return parameters;
}

}  // namespace

TransactionLayer::Parameters TransactionLayer::nic_side(const config::HostInterfaceConfig& config, Place place)
{
    return end_of_link(config.nic_side, config.transfer_trains, EventClass::pcie_to_host, place);
}

TransactionLayer::Parameters TransactionLayer::host_side(const config::HostInterfaceConfig& config, Place place)
{
    return end_of_link(config.host_side, config.transfer_trains, EventClass::pcie_to_nic, place);
}

TransactionLayer::TransactionLayer(const sc_core::sc_module_name& name, Agenda& agenda, const Parameters& parameters)
    : sc_module{name},
      agenda_{agenda},
      parameters_{parameters},
      path_{parameters.transmit},
      received_{parameters.receive_buffer},
      statistics_{parameters.transfer_end == EventClass::pcie_to_host ? "nic_to_host" : "host_to_nic"}
{
    describe_statistics();
}

void TransactionLayer::start_of_simulation()
{
    const TlpRef carrier = agenda_.shared<TlpPool>().make();
    carrier->header_limit = received_.limit().header;
    carrier->data_limit = received_.limit().data;
    from_link.backward(*carrier, phase::INIT_FC);
}

tlm::tlm_sync_enum TransactionLayer::submit(Tlp& tlp, tlm::tlm_phase& phase, sc_core::sc_time&)
{
    path_.submit(agenda_.now(), TlpRef{tlp});
    tlm::tlm_sync_enum answer = tlm::TLM_ACCEPTED;
    while (path_.has_accepted()) {
        const TlpRef accepted = path_.take_accepted();
        if (accepted.get() == &tlp) {
            phase = phase::ACCEPTED;
            answer = tlm::TLM_UPDATED;
        } else {
            from_device.backward(*accepted, phase::ACCEPTED);
        }
    }
    schedule();
    return answer;
}

void TransactionLayer::transfer_ended()
{
    if (agenda_.now() != due_at_) {
        return;  // an earlier end became due since this entry was made
    }
    due_at_ = kNever;
    path_.advance(agenda_.now());
    reporting_ = true;
    while (path_.has_arrivals()) {
        const TransmitPath::Arrival arrival = path_.take_arrival();
        arrival.tlp->arrived += arrival.transfers;
        to_link.forward(*arrival.tlp, phase::TRANSFER);
    }
    report_accepted();
    reporting_ = false;
    schedule();
}

void TransactionLayer::report_accepted()
{
    while (path_.has_accepted()) {
        from_device.backward(*path_.take_accepted(), phase::ACCEPTED);
    }
}

void TransactionLayer::schedule()
{
    if (reporting_) {
        return;
    }
    const Picoseconds next = path_.next_event();
    if (next < due_at_) {
        due_at_ = next;
        agenda_.at<&TransactionLayer::transfer_ended>(next, parameters_.transfer_end, parameters_.place, *this);
    }
}

// [PC-9] The far side takes a transfer in the instant in which it has arrived, so its space is free again at once.
tlm::tlm_sync_enum TransactionLayer::receive(Tlp& tlp, tlm::tlm_phase&, sc_core::sc_time&)
{
    const TransferCut& cut = parameters_.transmit.cut;
    const CreditUnits units{std::uint64_t{tlp.arrived - tlp.taken} * cut.overhead,
                            cut.bytes_between(tlp.payload_bytes, tlp.taken, tlp.arrived)};
    received_.arrive(units);
    received_.take(units);
    tlp.taken = tlp.arrived;
    tlp.header_limit = received_.limit().header;
    tlp.data_limit = received_.limit().data;
    from_link.backward(tlp, phase::UPDATE_FC);
    if (tlp.arrived < tlp.transfers) {
        return tlm::TLM_ACCEPTED;
    }
    to_device.forward(tlp, tlm::BEGIN_REQ);
    return tlm::TLM_COMPLETED;
}

tlm::tlm_sync_enum TransactionLayer::flow_control(Tlp& tlp, tlm::tlm_phase& phase, sc_core::sc_time&)
{
    const CreditUnits limit{tlp.header_limit, tlp.data_limit};
    if (phase == phase::INIT_FC) {
        path_.init_credits(agenda_.now(), limit);
    } else {
        path_.update_credits(agenda_.now(), limit);
    }
    if (!reporting_) {
        report_accepted();
    }
    schedule();
    return tlm::TLM_ACCEPTED;
}

void TransactionLayer::describe_statistics()
{
    const auto add_time = [this](const char* name, const char* description, auto read) {
        statistics_.add(name, "ps", description, [this, read] {
            const Picoseconds now = agenda_.now();
            path_.advance(now);
            return StatisticValue{static_cast<std::uint64_t>((path_.*read)(now))};
        });
    };
    const auto add_count = [this](const char* name, const char* unit, const char* description, auto member) {
        statistics_.add(name, unit, description, [this, member] {
            path_.advance(agenda_.now());
            return StatisticValue{path_.counters().*member};
        });
    };
    add_count("tlps", "transfers", "transfers started on the link", &TransmitPath::Counters::transfers);
    add_count("bytes", "B", "bytes of these transfers, overhead included", &TransmitPath::Counters::bytes);
    add_time("busy_ps", "time with a transfer on the link", &TransmitPath::busy);
    add_time("header_credit_stall_ps", "time with the next transfer refused for want of header space at the far end",
             &TransmitPath::header_credit_stall);
    add_time("data_credit_stall_ps", "time with the next transfer refused for want of data space at the far end",
             &TransmitPath::data_credit_stall);
    add_time("tx_header_wait_ps", "time with a transfer refused by the transmit buffer for want of header space",
             &TransmitPath::header_wait);
    add_time("tx_data_wait_ps", "time with a transfer refused by the transmit buffer for want of data space",
             &TransmitPath::data_wait);
}

}  // namespace mrcnic::pcie
