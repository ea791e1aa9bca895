"""Instructions by pass, from the files that valgrind --tool=callgrind writes."""
import collections
import re


class Profile:
    """cost    function: instructions of its own
    edges   (caller, callee): instructions of these calls, with all that they call"""

    def __init__(self, text):
        self.cost, self.edges = collections.Counter(), collections.Counter()
        names, function, callee, call = {}, None, None, False

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
                count = int((line.split() + ["0"])[1])
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
