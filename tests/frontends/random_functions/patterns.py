"""Templates of regular expressions and of what functions ask of them, and of `heapq`, `Counter` and `reduce`.

`<rx>` stands for the text of a pattern without groups, `<of1>` for one whose only group is in every match, `<may>` for
one whose group may be missing.
"""

PIECES = (
    "<ra>",
    "<ra>",
    "<ra>+",
    "<ra>*",
    "<ra>?",
    "<ra>+?",
    "<ra>*?",
    "<ra>{2}",
    "<ra>{1,3}",
    "<ra>{0,2}?",
    "<rp><rp>",
    "(?:<rp>)",
    "(?:<rp>|<rp>)",
    "(?:<rp>)?",
    "(?:<ra>|)",
)
PATTERNS = (
    "<rp>",
    "<rp><rp>",
    "<rp>|<rp>",
    "^<rp>",
    "<rp>$",
    "^<rp>$",
    "\\b<rp>",
    "\\A<rp>\\Z",
    "(?i)<rp>",
    "(?s)<ra><rp>",
    "(?m)^<rp>",
    "(?a)\\w<ra>",
)
ONE_GROUP = ("(<rp>)<rp>", "<ra>*(<rp>)", "^(<rp>),?", "(?:<rp>)?(<rp>)$", "(<rp>|<rp>)")
MAYBE_GROUP = ("(<rp>)?<ra>", "(?:(<ra>)|<rp>)", "<rp>|(<rp>)", "(?:<ra>(<rp>))?,")
NUMBERS = (
    "len(re.findall(r'<rx>', <t>))",
    "len(re.findall(r'<of1>', <t>))",
    "len(re.split(r'<rx>', <t>))",
    "len(re.sub(r'<rx>', '', <t>))",
    "len(WORD.findall(<t>))",
    "len(set(<t>.split(',')))",
    "len(set(re.findall(r'<rx>', <t>)))",
    "<t>.split(',').count(<t>)",
    "Counter(<t>.split(','))[<t>]",
    "Counter(<t>.split(',')).get(<t>, 0)",
    "len(Counter(<t>.split()).keys())",
    "heapq.nlargest(2, (<n>, <n>, 3))[-1]",
    "heapq.nsmallest(2, [<n>, <n>, 1], key=lambda @1: -@1)[0]",
    "sum(heapq.nlargest(2, [<n>, <n>, <n>], key=abs))",
    "reduce(lambda @1, @2: @1 - @2 * 2, (<n>, <n>, <n>))",
    "reduce(operator.mul, (<n>, 2, <n>), -1)",
    "parsed_by_pattern(<t>, <n>)",
    "key_value(<t>)[1]",
)
TEXTS = (
    "re.sub(r'<rx>', '<new>', <t>)",
    "re.sub(r'<of1>', r'[\\1]', <t>)",
    "re.sub(r'<may>', r'[\\1]', <t>)",
    "re.findall(r'<rx>', <t>)[0]",
    "re.findall(r'<of1>', <t>)[-1]",
    "re.split(r'<rx>', <t>)[0]",
    "re.split(r'<rx>', <t>)[-1]",
    "re.match(r'<rx>', <t>).group()",
    "re.search(r'<of1>', <t>).group(1)",
    "re.search(r'<of1>', <t>)[1]",
    "re.fullmatch(r'<of1>', <t>).groups()[0]",
    "(lambda @1: @1[0] if @1 else <t>)(re.search(r'<rx>', <t>))",
    "(lambda @1: @1.group(1) if @1 is not None else <t>)(re.match(r'<of1>', <t>))",
    "(lambda @1: (@1.group(1) or '?') if @1 else <t>)(re.search(r'<may>', <t>))",
    "(lambda @1: '+' if @1 and @1[1] is not None else <t>)(re.search(r'<may>', <t>))",
    "FIELD.sub('<new>', <t>)",
    "key_value(<t>)[0]",
)
CONDITIONS = (
    "bool(re.search(r'<rx>', <t>))",
    "(re.match(r'<rx>', <t>) is None)",
    "bool(re.fullmatch(r'<rx>', <t>, flags=re.IGNORECASE))",
    "(re.search(r'<may>', <t>, re.M | re.S) is not None)",
    "(not FIELD.match(<t>))",
    "(<t> in <t>.split(','))",
    "(<t> not in set(<t>.split()))",
    "(<t> in re.findall(r'<rx>', <t>))",
    "any(@1 > <n> for @1 in heapq.nlargest(2, (<n>, <n>, 0)))",
)
BLOCKS = (
    "@1 = re.search(r'<of1>', <t>)\nif @1:\n    t = @1.group(1)\nelse:\n    <block>",
    "if (@1 := FIELD.match(<t>)) is not None:\n    t, m = @1['k'], m + len(@1[2])",
    "try:\n    t = re.match(r'<of1>', name).group(1)\nexcept AttributeError:\n    t = 'none'",
    "try:\n    t = re.findall(r'<rx>', name)[0]\nexcept IndexError:\n    m, t = 7, 'none'",
    "try:\n    m = int(re.sub(r'<rx>', '', t))\nexcept ValueError:\n    m = <n>",
    "@1 = re.match(r'<may>', <t>)\nif not @1:\n    return <n>, <t>\nt = @1[1] or <t>",
)
YIELDS = (
    "for @1 in re.findall(r'<rx>', <t>):\n    yield len(@1)",
    "for @1 in re.split(r'<rx>', <t>):\n    if @1:\n        yield <n +@1:t>",
    "for @1 in set(<t>.split(',')):\n    yield len(@1)",
    "for @1, @2 in Counter(<t>.split(',')).items():\n    if <b +@2:n +@1:t>:\n        yield @2",
)
RULES = {
    "n": NUMBERS,
    "t": TEXTS,
    "b": CONDITIONS,
    "block": BLOCKS,
    "yields": YIELDS,
    "rp": PIECES,
    "rx": PATTERNS,
    "of1": ONE_GROUP,
    "may": MAYBE_GROUP,
}
LEAVES = {
    "ra": ("a", "b", "x", ",", "\\d", "\\w", "[a-c]", "[^,]", "\\s", ".", "-", "[0-9]", "\\.", "A", "\\S", "[^a]"),
    "rp": ("a", "\\d+", "[a-z]*", ",", "\\w+", "x?"),
    "new": ("", "z", "-1", "aa"),
}
