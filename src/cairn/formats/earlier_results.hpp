// Results of an earlier run or study that stand where new ones are to be written are kept beside them.
#pragma once
#include <string>
#include <vector>

namespace cairn {

// Moves those of these files of a folder that are there into the folder FOLDER.1, or the next number that is free, and
// returns its name; empty where none is there. What else the folder holds stays. Files go in the given order, into
// FOLDER.1.part, which gets its name at the end: after a process that was killed in between the next one goes on there.
std::string keep_beside(const std::string& folder, const std::vector<std::string>& files);

// What a user is told of it.
std::string kept_note(const std::string& folder, const std::string& kept);

}  // namespace cairn
