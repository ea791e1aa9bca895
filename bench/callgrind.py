"""Instructions by pass, from the files that valgrind --tool=callgrind writes."""
import collections
import re
import subprocess

# Kinds of instructions, by their names in the assembler; the first that matches counts. What is left is scalar:
# addresses, indices, branches.
KINDS = [
    ("roots, divisions", r"v?(div|sqrt)[ps][sd]"),
    ("arithmetic", r"v?(mul|add|sub|max|min|round|rndscale)[ps][sd]|vf(n?m)(add|sub)\w*"),
    ("moves", r"v?mov(ap|up|h|l|s|lp|hp)[sd]|v?movdq\w*|v?mov[qd]|rep"),
    ("shuffles", r"v?(unpck|perm|shuf|insert|extract|pinsr|pextr|punpck|pshuf|valign)\w*|vbroadcast\w*|vpbroadcast\w*"),
    ("masks", r"v?p?(and|or|xor|andn|cmp|blend|movmsk|test|ternlog)\w*|k\w+|v?pmov\w*|vpmovm2\w*"),
    ("prefetch", r"prefetch\w*"),
]
SCALAR = "scalar"


class Profile:
    """cost    function: instructions of its own
    edges   (caller, callee): instructions of these calls, with all that they call"""

    def __init__(self, text):
        self.cost, self.edges = collections.Counter(), collections.Counter()
        names, function, callee, call = {}, None, None, False
        instructions = "positions: instr" in text  # with --dump-instr: addresses too

        def name_of(word):  # "(12) name" the first time, then "(12)"
            number, _, name = word.partition(" ")
            if name:
                names[number] = name
            return names[number]
        for line in text.splitlines():
            if line.startswith("fn="):
                function = name_of(line[3:])
            elif line.startswith("cfn="):
                callee = name_of(line[4:])
            elif line.startswith("calls="):
                call = True  # its cost stands in the next line
            elif re.match(r"[+*\d-]", line):
                count = int(line.split()[-1] if instructions else (line.split() + ["0"])[1])
                if call:
                    self.edges[function, callee] += count
                    call = False
                else:
                    self.cost[function] += count

    def by_pass(self, passes):
        """[(name, pattern)] to {name: instructions}. A function belongs to the first pass whose pattern is found in
        its name; any other one to its callers, in proportion to the cost of their calls."""
        compiled = [(name, re.compile(pattern)) for name, pattern in passes]
        own = {f: next((name for name, pattern in compiled if pattern.search(f)), None)
               for f in {*self.cost, *(f for edge in self.edges for f in edge)}}
        callers = collections.defaultdict(list)
        for (caller, callee), cost in self.edges.items():
            if caller != callee:
                callers[callee].append((caller, cost))
        share = {f: {name: 1.0} if name else {} for f, name in own.items()}
        for _ in range(1000):  # calls may go round in circles, and then this is an iteration
            moved = 0.0
            for f, name in own.items():
                whole = sum(cost for _, cost in callers[f])
                if name or not whole:
                    continue
                new = collections.Counter()
                for caller, cost in callers[f]:
                    for group, part in share[caller].items():
                        new[group] += part * cost / whole
                moved = max([moved, *(abs(new[g] - share[f].get(g, 0)) for g in new)])
                share[f] = new
            if moved < 1e-9:
                break
        result = collections.Counter()
        for f, cost in self.cost.items():
            known = sum(share[f].values())
            result["other"] += cost * (1 - known)
            for group, part in share[f].items():
                result[group] += cost * part
        return result


def per_grain_step(short, long, grains, steps):
    """{pass: instructions} per grain and step, of what a longer run took beyond a shorter one."""
    return {name: (long.get(name, 0) - short.get(name, 0)) / (grains * steps) for name in {**short, **long}}


def by_kind(text, program, functions):
    """{kind: instructions} of the functions whose names match, from a file made with --dump-instr=yes."""
    cost, names, wanted, call, address = collections.Counter(), {}, False, False, 0
    pattern = re.compile(functions)
    for line in text.splitlines():
        if found := re.match(r"c?fn=\((\d+)\)(?: (.*))?", line):
            if found[2]:
                names[found[1]] = found[2]
            if not line.startswith("c"):
                wanted = bool(pattern.search(names[found[1]]))
        elif line.startswith("calls="):
            call = True
        elif re.match(r"[+*0-9-]", line):
            word, *_, count = line.split()
            if word.startswith("0x"):
                address = int(word, 16)
            elif word != "*":
                address += int(word, 0)
            if wanted and not call:
                cost[address] += int(count)
            call = False
    kinds = collections.Counter()
    if not cost:
        return kinds
    listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", f"--start-address={min(cost)}",
                              f"--stop-address={max(cost) + 16}", program], capture_output=True, text=True, check=True)
    for line in listing.stdout.splitlines():
        found = re.match(r"\s*([0-9a-f]+):\s+(\S+)\s*(.*)", line)
        if not found or int(found[1], 16) not in cost:
            continue
        vector = re.search(r"%[xyz]mm|%k\d", found[3]) or found[2] in ("rep", "prefetcht0")
        kind = next((k for k, names_of in KINDS if vector and re.fullmatch(names_of, found[2])), SCALAR)
        kinds[kind] += cost[int(found[1], 16)]
    return kinds
