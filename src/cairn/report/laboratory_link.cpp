#include "cairn/report/laboratory_link.hpp"

#include <filesystem>

#include "cairn/formats/base64.hpp"

namespace cairn {

void link_laboratory(Page& page, const std::string& folder, const std::string& scenario_text) {
  for (const std::string place : {"lab.html", "../lab.html"})
    if (std::filesystem::exists(folder + "/" + place))
      return page.link("Open this scenario in the laboratory", place + "#t=" + base64_url(scenario_text));
}

}  // namespace cairn
