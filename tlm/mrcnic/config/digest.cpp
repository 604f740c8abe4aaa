#include "mrcnic/config/digest.h"

#include <array>
#include <map>
#include <stdexcept>

#include <fmt/format.h>
#include <openssl/evp.h>
#include <nlohmann/json.hpp>

namespace mrcnic::config {

std::string digest_text(const std::vector<EffectiveValue>& values)
{
    nlohmann::json object = nlohmann::json::object();  // keeps its keys sorted
    std::map<const Attribute*, Value> common;
    for (const EffectiveValue& value : values) {
        const Attribute* attribute = value.target.attribute;
        if (!value.target.nic) {
            common[attribute] = value.written;
        }
        const bool same_as_common = value.target.nic && common[attribute] == value.written;
        if (!attribute->output_only && !same_as_common) {
            object[value.target.path()] = std::visit([](const auto& v) { return nlohmann::json(v); }, value.written);
        }
    }
    return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string config_digest(const std::vector<EffectiveValue>& values)
{
    const std::string text = digest_text(values);
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    if (EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) {
        throw std::runtime_error{"the library that computes SHA-256 failed"};
    }
    std::string hex;
    for (unsigned int i = 0; i < size; ++i) {
        hex += fmt::format("{:02x}", digest[i]);
    }
    return hex;
}

std::vector<EffectiveValue> effective_values(const Config& config)
{
    const Origin program{Origin::Kind::program};
    std::vector<EffectiveValue> values;
    for (const Attribute& attribute : attributes()) {
        const Value value = attribute.read(config);
        values.push_back({{&attribute, std::nullopt}, value, value, program});
    }
    for (std::uint32_t index = 0; index < config.nics.size(); ++index) {
        for (const Attribute& attribute : attributes()) {
            if (!attribute.of_nic()) {
                continue;
            }
            const Value value = attribute.read(config.nics[index]);
            if (value != attribute.read(config)) {
                values.push_back({{&attribute, index}, value, value, program});
            }
        }
    }
    return values;
}

}  // namespace mrcnic::config
