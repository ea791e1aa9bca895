#include "cairn/facade/guarded.hpp"

#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include "cairn/scenario/scenario_data.hpp"
#include "cairn/scenario/scenario_file.hpp"

namespace cairn::facade {
namespace {

// cairn.h is C and cannot include core/error.hpp.
static_assert(CAIRN_OK == int(Exit::ok) && CAIRN_BAD_INPUT == int(Exit::bad_input) && CAIRN_GUARD == int(Exit::guard) &&
              CAIRN_IO == int(Exit::io) && CAIRN_NO_SPACE == int(Exit::no_space) &&
              CAIRN_NO_MEMORY == int(Exit::no_memory) && CAIRN_BUSY == int(Exit::busy) &&
              CAIRN_CORRUPT == int(Exit::corrupt) && CAIRN_NO_THREADS == int(Exit::no_threads));

// A text of its own in each thread, so that no lock is needed and none is read while another is written.
std::string& last_error() {
  static thread_local std::string text;
  return text;
}

int note(int code, const char* text) noexcept {
  try {
    last_error() = text;
  } catch (...) {  // no memory for the text: the code alone has to do
  }
  return code;
}

}  // namespace

int code_of_exception() {
  try {
    throw;
  } catch (const Error& e) {
    return note(static_cast<int>(e.code()), e.what());
  } catch (const Stopped&) {
    return note(CAIRN_STOPPED, "stopped by the caller");
  } catch (const Misuse& e) {
    return note(CAIRN_MISUSE, e.text.c_str());
  } catch (const std::bad_alloc&) {
    return note(CAIRN_NO_MEMORY, "out of memory");
  } catch (const std::exception& e) {
    return note(CAIRN_MISUSE, e.what());
  } catch (...) {
    return note(CAIRN_MISUSE, "an error without a text");
  }
}

void require(bool right, const char* expected) {
  if (!right) throw Misuse{std::string("expected ") + expected};
}

void give(cairn_buffer* to, std::string_view text) {
  require(to != nullptr, "a buffer");
  char* const data = static_cast<char*>(std::malloc(text.size() + 1));
  if (data == nullptr) throw std::bad_alloc();
  if (!text.empty()) std::memcpy(data, text.data(), text.size());
  data[text.size()] = '\0';
  *to = {data, text.size()};
}

std::vector<std::string> texts_of(const char* const* texts, std::size_t count) {
  require(count == 0 || texts != nullptr, "overrides");
  return {texts, texts + count};
}

ScenarioSource source_of(const cairn_scenario* scenario) {
  require(scenario != nullptr && scenario->name != nullptr && (scenario->text != nullptr || scenario->size == 0),
          "a scenario with a text and a name");
  return {scenario->name, std::string(scenario->text == nullptr ? "" : scenario->text, scenario->size),
          texts_of(scenario->overrides, scenario->count)};
}

std::vector<const SchemeEntry*> schemes_of(const char* names) {
  std::vector<const SchemeEntry*> schemes;
  for (const std::string& name : split_scheme_names(names == nullptr ? "" : names))
    if (!name.empty()) schemes.push_back(&scheme_named(name));
  return schemes;
}

Scenario whole_scenario(const cairn_scenario* scenario) {
  const ScenarioSource source = source_of(scenario);
  Scenario whole = parse_scenario(source.text, source.name, source.overrides);
  load_data(whole);
  return whole;
}

}  // namespace cairn::facade

extern "C" {

int32_t cairn_interface(void) {
  return CAIRN_INTERFACE;
}

const char* cairn_version(void) {
  return CAIRN_VERSION;
}

const char* cairn_error(void) {
  return cairn::facade::last_error().c_str();
}

void cairn_free(cairn_buffer* buffer) {
  if (buffer == nullptr) return;
  std::free(buffer->data);
  *buffer = {nullptr, 0};
}

}  // extern "C"
