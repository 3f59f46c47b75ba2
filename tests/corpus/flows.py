"""Network flows and firewalls."""

from typing import TypedDict

from pyspark import RDD


class Flow(TypedDict):
    src: str
    dst: str
    port: int
    bytes: int


LIMITS = {"ports": [22, 23, 3389], "bytes": 1_000_000, "names": {22: "ssh", 23: "telnet"}}


def is_suspicious(flow):
    return flow["port"] in LIMITS["ports"] or flow["bytes"] > LIMITS["bytes"]


def suspicious(flows: RDD[Flow]):
    return flows.filter(is_suspicious).map(lambda f: (f["src"], f["bytes"])).reduceByKey(lambda a, b: a + b)


def suspicious_right(flows: RDD[Flow]):
    chosen = flows.filter(lambda f: f["bytes"] >= 1000001 or f["port"] == 22 or f["port"] == 23 or f["port"] == 3389)
    return chosen.map(lambda f: (f["src"], f["bytes"])).groupByKey().mapValues(sum)


def suspicious_wrong(flows: RDD[Flow]):
    chosen = flows.filter(lambda f: f["bytes"] >= 1000000 or f["port"] in LIMITS["ports"])
    return chosen.map(lambda f: (f["src"], f["bytes"])).groupByKey().mapValues(sum)


def fan_out(flows: RDD[Flow]):
    """How many machines each machine talks to."""
    return flows.map(lambda f: (f["src"], f["dst"])).distinct().countByKey()


def fan_out_right(flows: RDD[Flow]):
    return flows.map(lambda f: (f["src"], f["dst"])).groupByKey().mapValues(lambda g: len(set(g))).collectAsMap()


def fan_out_wrong(flows: RDD[Flow]):
    return flows.map(lambda f: (f["src"], f["dst"])).groupByKey().mapValues(lambda g: len(g)).collectAsMap()


def service_names(flows: RDD[Flow]):
    def name(port):
        try:
            return LIMITS["names"][port]
        except KeyError:
            return str(port)

    return (
        flows.map(lambda f: {**f, "service": name(f["port"])})
        .map(lambda f: (f["service"], 1))
        .reduceByKey(lambda a, b: a + b)
    )


def service_names_right(flows: RDD[Flow]):
    return flows.map(
        lambda f: ("ssh" if f["port"] == 22 else "telnet" if f["port"] == 23 else f"{f['port']}", 1)
    ).reduceByKey(lambda a, b: a + b)


def service_names_wrong(flows: RDD[Flow]):
    return flows.map(
        lambda f: ("ssh" if f["port"] == 23 else "telnet" if f["port"] == 22 else f"{f['port']}", 1)
    ).reduceByKey(lambda a, b: a + b)


def blocked(flows: RDD[Flow], rules: RDD[tuple[str, bool]]):
    """Flows to what a rule forbids; what no rule mentions is allowed."""
    verdicts = rules.reduceByKey(lambda a, b: a or b)
    keyed = flows.map(lambda f: (f["dst"], f["bytes"]))
    return keyed.leftOuterJoin(verdicts).filter(lambda x: x[1][1] is True).map(lambda x: x[1][0]).sum()


def blocked_right(flows: RDD[Flow], rules: RDD[tuple[str, bool]]):
    forbidden = rules.filter(lambda r: r[1]).keys().distinct().map(lambda d: (d, None))
    return flows.map(lambda f: (f["dst"], f["bytes"])).join(forbidden).map(lambda x: x[1][0]).sum()


def blocked_wrong(flows: RDD[Flow], rules: RDD[tuple[str, bool]]):
    forbidden = rules.filter(lambda r: r[1]).map(lambda d: (d[0], None))
    return flows.map(lambda f: (f["dst"], f["bytes"])).join(forbidden).map(lambda x: x[1][0]).sum()
