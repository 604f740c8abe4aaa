#pragma once

#include <memory>
#include <typeindex>
#include <utility>
#include <vector>

namespace mrcnic {

/// What all blocks of a platform share, one object of each type: above all pools, so that a payload that one device has
/// just sent home, and which is still in the processor's cache, is the next that another device takes.
class SharedObjects {
public:
    /// The object of this type, made when first asked for. A search: ask once, when a block is built.
    template <typename T>
    [[nodiscard]] T& get()
    {
        const std::type_index type{typeid(T)};
        for (const auto& [known, object] : objects_) {
            if (known == type) {
                return *static_cast<T*>(object.get());
            }
        }
        objects_.emplace_back(type, std::make_shared<T>());
        return *static_cast<T*>(objects_.back().second.get());
    }

private:
    std::vector<std::pair<std::type_index, std::shared_ptr<void>>> objects_;
};

}  // namespace mrcnic
