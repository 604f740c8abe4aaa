#include "mrcnic/host/payload_pool.h"

#include <memory>

#include <gtest/gtest.h>

namespace mrcnic::host {
namespace {

/// An extension that tells when it is freed.
struct Mark : tlm::tlm_extension<Mark> {
    explicit Mark(int& freed) : freed_{freed} {}
    tlm::tlm_extension_base* clone() const override { return new Mark{freed_}; }
    void copy_from(const tlm::tlm_extension_base& /*other*/) override {}
    void free() override
    {
        ++freed_;
        delete this;
    }

private:
    int& freed_;
};

// [BP-8] [BP-9] What comes out of the pool may start a transaction, whatever the last user left in it.
TEST(PayloadPool, ResetsWhatComesHome)
{
    PayloadPool pool;
    unsigned char foreign[4] = {};
    tlm::tlm_generic_payload* first = nullptr;
    int freed = 0;
    {
        const PayloadRef payload = pool.make(64);
        first = payload.get();
        payload->set_write();
        payload->set_address(0x1234);
        payload->set_data_ptr(foreign);
        payload->set_byte_enable_ptr(foreign);
        payload->set_byte_enable_length(4);
        payload->set_response_status(tlm::TLM_OK_RESPONSE);
        payload->set_dmi_allowed(true);
        payload->set_gp_option(tlm::TLM_FULL_PAYLOAD);
        payload->set_auto_extension(new Mark{freed});
    }
    EXPECT_EQ(freed, 1);

    const PayloadRef payload = pool.make(32);
    ASSERT_EQ(payload.get(), first);
    EXPECT_EQ(payload->get_command(), tlm::TLM_IGNORE_COMMAND);
    EXPECT_EQ(payload->get_address(), 0U);
    EXPECT_NE(payload->get_data_ptr(), foreign);
    EXPECT_EQ(payload->get_data_length(), 32U);
    EXPECT_EQ(payload->get_streaming_width(), 32U);
    EXPECT_EQ(payload->get_byte_enable_ptr(), nullptr);
    EXPECT_EQ(payload->get_byte_enable_length(), 0U);
    EXPECT_EQ(payload->get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
    EXPECT_FALSE(payload->is_dmi_allowed());
    EXPECT_EQ(payload->get_gp_option(), tlm::TLM_MIN_PAYLOAD);
    EXPECT_EQ(payload->get_extension<Mark>(), nullptr);
}

// A payload stays out until its last holder lets go.
TEST(PayloadPool, CountsLiveAndPeak)
{
    PayloadPool pool;
    PayloadRef first = pool.make(8);
    EXPECT_TRUE(first->has_mm());
    EXPECT_EQ(first->get_ref_count(), 1);
    PayloadRef second = pool.make(8);
    first->acquire();
    first->release();
    EXPECT_EQ(pool.live(), 2U);
    first.reset();
    second.reset();
    EXPECT_EQ(pool.live(), 0U);
    const PayloadRef third = pool.make(8);
    EXPECT_EQ(pool.live(), 1U);
    EXPECT_EQ(pool.peak(), 2U);
}

// The buffer stays with its payload: a smaller transfer later uses the same bytes, a larger one gets more.
TEST(PayloadPool, ReusesTheBuffer)
{
    PayloadPool pool;
    const unsigned char* buffer = pool.make(512)->get_data_ptr();
    EXPECT_EQ(pool.make(64)->get_data_ptr(), buffer);
    const PayloadRef large = pool.make(4096);
    large->get_data_ptr()[4095] = 1;
    EXPECT_EQ(large->get_data_length(), 4096U);
}

// [BP-6] A payload without data can only be IGNORE.
TEST(PayloadPool, MakesPayloadsWithoutData)
{
    PayloadPool pool;
    const PayloadRef payload = pool.make_without_data(4096);
    EXPECT_EQ(payload->get_command(), tlm::TLM_IGNORE_COMMAND);
    EXPECT_EQ(payload->get_data_ptr(), nullptr);
    EXPECT_EQ(payload->get_data_length(), 4096U);
}

// A payload that a foreign module still holds outlives the pool (ASan sees if it does not).
TEST(PayloadPool, PayloadsOutliveThePool)
{
    auto pool = std::make_unique<PayloadPool>();
    PayloadRef payload = pool->make(16);
    pool.reset();
    payload->get_data_ptr()[15] = 7;
    EXPECT_EQ(payload->get_data_length(), 16U);
    payload.reset();
}

}  // namespace
}  // namespace mrcnic::host
