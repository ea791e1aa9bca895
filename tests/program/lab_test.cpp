// cairn lab: where it finds the laboratory, and what it puts into it. tests/lab opens the page itself.
#include "program/desk.hpp"

namespace cairn {
namespace {

constexpr const char* page =
    "<title>Cairn laboratory</title>\n<script type=\"application/json\" id=\"enclosed\">null</script>\n";

// The program copied into a folder, so that no laboratory lies beside it but that of the test.
struct Copied {
  Desk desk;
  std::string program = desk / "bin/cairn";
  Copied() {
    fs::create_directories(desk / "bin");
    fs::copy_file(CAIRN_PROGRAM, program);
  }
  Outcome lab(Words arguments) const {
    arguments = Words{program, "lab"} + arguments;
    std::vector<char*> argv;
    for (std::string& word : arguments) argv.push_back(word.data());
    argv.push_back(nullptr);
    return desk.cairn({}, [&] { ::execv(argv[0], argv.data()); });
  }
};

}  // namespace

TEST_CASE("a program without the laboratory says how to build it") {
  const Copied copied;
  const Outcome o = copied.lab({});
  CHECK(o.code == 2);
  CHECK(o.err.find("built without the laboratory") != o.err.npos);
  CHECK(o.err.find("--target lab") != o.err.npos);
  CHECK(!fs::exists(copied.desk / "lab.html"));
}

TEST_CASE("the laboratory is found beside the program and where it is installed, and takes a scenario") {
  for (const char* place : {"bin/lab.html", "share/cairn/lab.html"}) {
    const Copied copied;
    const Desk& desk = copied.desk;
    fs::create_directories(desk / "share/cairn");
    write(desk / place, page);
    CHECK(copied.lab({}).code == 0);
    CHECK(content(desk / "lab.html") == page);
    write(desk / "a.toml",
          "title = '</script><b>'\n[run]\nstep = 1e-4\nend = 1\n[contact]\nstiffness = 1000\n[[grains]]\n"
          "kind = 'csv'\nfile = 'data/bed.csv'\n");
    CHECK(copied.lab({"a.toml"}).code == 4);  // its data file is missing
    fs::create_directories(desk / "data");
    write(desk / "data/bed.csv", "x,y,z,radius\n0,0,1,0.1\n");
    const Outcome o = copied.lab({"a.toml", "--out", "mine.html"});
    CHECK(o.out.starts_with("wrote mine.html\n"));
    const std::string written = content(desk / "mine.html");
    const std::size_t begin = written.find('{'), end = written.rfind('}');
    const json enclosed = json::parse(written.substr(begin, end + 1 - begin));
    CHECK(enclosed.at("name") == "a.toml");
    CHECK(enclosed.at("text") == content(desk / "a.toml"));
    CHECK(enclosed.at("files").at(0).at("name") == "data/bed.csv");
    CHECK(enclosed.at("files").at(0).at("base64") == "eCx5LHoscmFkaXVzCjAsMCwxLDAuMQo=");
    CHECK(written.find("</script><b>") == written.npos);
  }
}

TEST_CASE("a report has a link to the laboratory that lies beside it") {
  const Desk desk;
  write(desk / "a.toml",
        "[run]\nstep = 1e-4\nend = 1e-3\n[contact]\nstiffness = 1000\n[[grain]]\nposition = [0, 0, 1]\nradius = 0.1\n");
  const std::string link = "href=\"../lab.html#t=W3J1bl0Kc3RlcCA9IDFlLTQ";
  CHECK(desk.cairn({"run", "a.toml", "--out", "out/one"}).code == 0);
  CHECK(content(desk / "out/one/report.html").find("lab.html") == std::string::npos);
  write(desk / "out/lab.html", page);
  CHECK(desk.cairn({"report", "out/one"}).code == 0);
  CHECK(content(desk / "out/one/report.html").find(link) != std::string::npos);
}

}  // namespace cairn
