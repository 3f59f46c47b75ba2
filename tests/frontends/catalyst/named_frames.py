"""DataFrames with functions that are known by name alone, and which of them return the same."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame, Window, WindowSpec
from pyspark.sql import functions as f

SCHEMA = """
CREATE TABLE people (id BIGINT PRIMARY KEY, name STRING, code STRING NOT NULL, born DATE, age INT NOT NULL,
    tags ARRAY<STRING>, notes STRING);
CREATE TABLE events (id BIGINT PRIMARY KEY, person BIGINT, kind STRING, at TIMESTAMP, amount INT, price DECIMAL(7, 2));
"""
CHOOSES = "both keep one row of several, and nothing fixes which: "
PAIRS: dict[tuple[str, str], tuple[str, str]] = {
    ("initials", "initials_selected"): ("equivalent", ""),
    ("by_month", "by_day"): ("unknown", ""),
    ("tried", "tried_or_zero"): ("inequivalent", ""),
    ("days", "days_or_first"): ("unknown", ""),
    ("longer", "longer_renamed"): ("equivalent", ""),
    ("longer", "longer_turned"): ("unknown", ""),
    ("each_tag", "each_tag_later"): ("equivalent", ""),
    ("each_tag", "each_tag_without_place"): ("equivalent", ""),
    ("each_tag", "each_tag_outer"): ("unknown", "are tried"),
    ("unpivoted", "stacked"): ("equivalent", ""),
    ("unpivoted", "united"): ("equivalent", ""),
    ("unpivoted", "stacked_once"): ("inequivalent", ""),
    ("parsed", "parsed_later"): ("equivalent", ""),
    ("parsed", "parsed_or_failed"): ("unknown", ""),
    ("struct_before_join", "struct_after_join"): ("unknown", ""),
    ("sorted_kinds", "sorted_kinds_moved"): ("equivalent", ""),
    ("listed_kinds", "listed_kinds_moved"): ("unknown", f"{CHOOSES}CollectList(kind)"),
    ("number_of_kinds", "count_of_kinds"): ("equivalent", ""),
    ("first_known", "first_of_known"): ("equivalent", ""),
    ("first_known", "first_known_moved"): ("unknown", f"{CHOOSES}first(kind)"),
    ("kind_of_last", "kind_of_last_moved"): ("equivalent", ""),
    ("kind_of_last", "kind_of_first"): ("inequivalent", ""),
    ("kind_of_latest", "kind_of_latest_moved"): ("unknown", f"{CHOOSES}MaxBy(kind)"),
    ("largest", "largest_moved"): ("equivalent", ""),
    ("largest", "smallest"): ("inequivalent", ""),
    ("filled", "filled_moved"): ("equivalent", ""),
    ("filled", "filled_backwards"): ("inequivalent", ""),
    ("listed_in_order", "listed_backwards"): ("unknown", ""),
    ("spread", "spread_grouped_later"): ("equivalent", ""),
    ("spread", "spread_to_ninety"): ("unknown", ""),
    ("about_half", "about_half_moved"): ("unknown", f"{CHOOSES}ApproximatePercentile(amount)"),
    ("pivoted", "pivoted_by_hand"): ("equivalent", ""),
    ("pivoted", "pivoted_to_zero"): ("inequivalent", ""),
    ("counted_by_kind", "counted_by_hand"): ("inequivalent", ""),
    ("hourly", "hourly_filtered_before"): ("equivalent", ""),
    ("older", "older_turned"): ("equivalent", ""),
    ("joined_texts", "joined_later"): ("equivalent", ""),
    ("joined_texts", "joined_with_blanks"): ("inequivalent", ""),
    ("domains", "first_parts"): ("inequivalent", ""),
    ("hashed", "hashed_or_empty"): ("inequivalent", ""),
    ("starts_of_hours", "starts_of_days"): ("inequivalent", ""),
    ("seconds", "seconds_or_none"): ("inequivalent", ""),
    ("marked", "marked_or_left_out"): ("inequivalent", ""),
    ("latest_numbered", "latest"): ("equivalent", ""),
    ("latest_numbered", "earliest"): ("inequivalent", ""),
    ("kind_of_newest", "kind_of_newest_numbered"): ("equivalent", ""),
    ("second", "second_moved"): ("equivalent", ""),
    ("changed", "changed_before"): ("equivalent", ""),
    ("changed", "changed_to_more"): ("unknown", ""),
}
"""Pairs of functions, the answer, and a part of a reason where it is unknown."""
REFUSED = {
    "drawn": "Rand is not deterministic",
    "identified": "Uuid is not deterministic",
    "numbered": "MonotonicallyIncreasingID is not deterministic",
    "encrypted": "AesEncrypt is not deterministic",
    "shuffled": "Shuffle is not deterministic",
    "uniform": "ArrayTransform is not deterministic",
    "sketched": "KllSketchAggBigint is not deterministic",
    "collated": "the type string collate UTF8_LCASE of Collate is not understood",
}
"""Functions that are refused, and a part of the message."""


def initials(people: DataFrame) -> DataFrame:
    short = f.concat_ws("-", f.regexp_replace("name", "[a-z]+", ""), f.lpad("code", 5, "0"))
    return people.where(f.col("name").rlike("^[A-Z]")).select("id", short.alias("short"), f.sha2("name", 256))


def initials_selected(people: DataFrame) -> DataFrame:
    named = people.select("id", f.col("name").alias("n"), "code").where("n RLIKE '^[A-Z]'")
    short = f.concat_ws("-", f.regexp_replace("n", "[a-z]+", ""), f.lpad("code", 5, "0"))
    return named.withColumn("short", short).select("id", "short", f.sha2("n", 256))


def by_month(people: DataFrame) -> DataFrame:
    return people.groupBy(f.date_format("born", "yyyy-MM").alias("month")).count()


def by_day(people: DataFrame) -> DataFrame:
    return people.groupBy(f.date_format("born", "yyyy-MM-dd").alias("month")).count()


def tried(people: DataFrame) -> DataFrame:
    return people.select("id", f.try_divide(f.lit(60), f.col("age")).alias("x"))


def tried_or_zero(people: DataFrame) -> DataFrame:
    return tried(people).select("id", f.coalesce("x", f.lit(0.0)).alias("x"))


def days(people: DataFrame) -> DataFrame:
    return people.select("id", f.try_to_date("code").alias("x"))


def days_or_first(people: DataFrame) -> DataFrame:
    return days(people).select("id", f.coalesce("x", f.lit("2000-01-01").cast("date")).alias("x"))


def longer(people: DataFrame) -> DataFrame:
    return people.select("id", f.transform("tags", lambda tag: f.concat(tag, "name")).alias("longer"))


def longer_renamed(people: DataFrame) -> DataFrame:
    named = people.select("id", f.col("tags").alias("words"), f.col("name").alias("n"))
    return named.select("id", f.transform("words", lambda word: f.concat(word, "n")).alias("longer"))


def longer_turned(people: DataFrame) -> DataFrame:
    return people.select("id", f.transform("tags", lambda tag: f.concat("name", tag)).alias("longer"))


def each_tag(people: DataFrame) -> DataFrame:
    return people.where("age > 17").select("id", f.explode("tags").alias("tag")).where("tag <> ''")


def each_tag_later(people: DataFrame) -> DataFrame:
    return people.select("id", "age", f.explode("tags").alias("tag")).where("tag <> '' AND age > 17").drop("age")


def each_tag_without_place(people: DataFrame) -> DataFrame:
    placed = people.select("id", "age", f.posexplode("tags").alias("place", "tag"))
    return placed.where("age >= 18 AND tag <> ''").select("id", "tag")


def each_tag_outer(people: DataFrame) -> DataFrame:
    return people.where("age > 17").select("id", f.explode_outer("tags").alias("tag"))


def unpivoted(events: DataFrame) -> DataFrame:
    pairs = [
        f.struct(f.lit(name).alias("name"), f.col(name).cast("bigint").alias("value")) for name in ("amount", "id")
    ]
    each = events.select("person", f.explode(f.array(*pairs)).alias("pair"))
    return each.select("person", "pair.name", "pair.value")


def stacked(events: DataFrame) -> DataFrame:
    values = f.lit("amount"), f.col("amount").cast("bigint"), f.lit("id"), f.col("id")
    return events.select("person", f.stack(f.lit(2), *values).alias("name", "value"))


def stacked_once(events: DataFrame) -> DataFrame:
    return events.select("person", f.stack(f.lit(1), f.lit("id"), f.col("id")).alias("name", "value"))


def united(events: DataFrame) -> DataFrame:
    amounts = events.select("person", f.lit("amount").alias("name"), f.col("amount").cast("bigint").alias("value"))
    return amounts.unionByName(events.select("person", f.lit("id").alias("name"), f.col("id").alias("value")))


def parsed(people: DataFrame) -> DataFrame:
    note = f.from_json("notes", "city STRING, years ARRAY<INT>")
    return people.select("id", note.alias("note")).where("note.city = 'Oslo'").select("id", "note.years")


def parsed_later(people: DataFrame) -> DataFrame:
    note = f.from_json("notes", "city STRING, years ARRAY<INT>")
    return people.where(note.getField("city") == "Oslo").select("id", note.getField("years"))


def parsed_or_failed(people: DataFrame) -> DataFrame:
    note = f.from_json("notes", "city STRING, years ARRAY<INT>", {"mode": "FAILFAST"})
    return people.where(note.getField("city") == "Oslo").select("id", note.getField("years"))


def struct_before_join(people: DataFrame, events: DataFrame) -> DataFrame:
    what = events.select("person", f.struct("kind").alias("what"))
    joined = people.join(what, people.id == what.person, "left")
    return joined.select(people.id, f.to_json("what").alias("what"))


def struct_after_join(people: DataFrame, events: DataFrame) -> DataFrame:
    joined = people.join(events, people.id == events.person, "left")
    return joined.select(people.id, f.to_json(f.struct("kind")).alias("what"))


def sorted_kinds(events: DataFrame) -> DataFrame:
    kinds = f.concat_ws(",", f.sort_array(f.collect_set("kind")))
    return events.groupBy("person").agg(kinds.alias("kinds"), f.array_contains(f.collect_list("kind"), "a"))


def sorted_kinds_moved(events: DataFrame) -> DataFrame:
    return sorted_kinds(events.repartition("kind").sortWithinPartitions("at"))


def listed_kinds(events: DataFrame) -> DataFrame:
    return events.groupBy("person").agg(f.collect_list("kind").alias("kinds"))


def listed_kinds_moved(events: DataFrame) -> DataFrame:
    return listed_kinds(events.orderBy("at"))


def number_of_kinds(events: DataFrame) -> DataFrame:
    numbers = f.size(f.collect_set("kind")).alias("kinds"), f.size(f.collect_list("amount")).alias("amounts")
    return events.groupBy("person").agg(*numbers)


def count_of_kinds(events: DataFrame) -> DataFrame:
    return events.groupBy("person").agg(f.count_distinct("kind").cast("int"), f.count("amount").cast("int"))


def first_known(events: DataFrame) -> DataFrame:
    return events.groupBy("person").agg(f.first("kind", ignorenulls=True).alias("kind"))


def first_of_known(events: DataFrame) -> DataFrame:
    return events.groupBy("person").agg(f.expr("first(kind) FILTER (WHERE kind IS NOT NULL)").alias("kind"))


def first_known_moved(events: DataFrame) -> DataFrame:
    return first_known(events.orderBy("at"))


def kind_of_last(events: DataFrame) -> DataFrame:
    return events.groupBy("person").agg(f.max_by("kind", "id").alias("kind"))


def kind_of_last_moved(events: DataFrame) -> DataFrame:
    return kind_of_last(events.orderBy("at"))


def kind_of_first(events: DataFrame) -> DataFrame:
    return events.groupBy("person").agg(f.min_by("kind", "id").alias("kind"))


def kind_of_latest(events: DataFrame) -> DataFrame:
    return events.groupBy("person").agg(f.max_by("kind", "at").alias("kind"))


def kind_of_latest_moved(events: DataFrame) -> DataFrame:
    return kind_of_latest(events.orderBy("amount"))


def largest(events: DataFrame) -> DataFrame:
    best = events.groupBy("person").agg(f.max(f.struct("amount", "kind")).alias("best"))
    return best.select("person", "best.amount", "best.kind")


def largest_moved(events: DataFrame) -> DataFrame:
    return largest(events.orderBy("at"))


def smallest(events: DataFrame) -> DataFrame:
    best = events.groupBy("person").agg(f.min(f.struct("amount", "kind")).alias("best"))
    return best.select("person", "best.amount", "best.kind")


def _so_far() -> WindowSpec:
    return Window.partitionBy("person").orderBy("id").rowsBetween(Window.unboundedPreceding, 0)


def filled(events: DataFrame) -> DataFrame:
    return events.select("id", f.last("kind", ignorenulls=True).over(_so_far()).alias("kind"))


def filled_moved(events: DataFrame) -> DataFrame:
    return filled(events.repartition(3, "kind"))


def filled_backwards(events: DataFrame) -> DataFrame:
    return events.select("id", f.first("kind", ignorenulls=True).over(_so_far()).alias("kind"))


def _whole(*keys: Column) -> WindowSpec:
    return Window.partitionBy("person").orderBy(*keys).rowsBetween(Window.unboundedPreceding, Window.unboundedFollowing)


def listed_in_order(events: DataFrame) -> DataFrame:
    return events.select("id", f.collect_list("kind").over(_whole(f.col("id"))).alias("kinds"))


def listed_backwards(events: DataFrame) -> DataFrame:
    return events.select("id", f.collect_list("kind").over(_whole(f.desc("id"))).alias("kinds"))


def _spread(share: float) -> list[Column]:
    numbers = f.corr("amount", "id"), f.skewness("amount"), f.median("amount"), f.percentile("amount", share)
    return [*numbers, f.approx_count_distinct("kind"), f.regr_slope("amount", "id")]


def spread(events: DataFrame) -> DataFrame:
    return events.where("person > 3").groupBy("person").agg(*_spread(0.5))


def spread_grouped_later(events: DataFrame) -> DataFrame:
    return events.repartition("kind").groupBy("person").agg(*_spread(0.5)).where("person > 3")


def spread_to_ninety(events: DataFrame) -> DataFrame:
    return events.where("person > 3").groupBy("person").agg(*_spread(0.9))


def about_half(events: DataFrame) -> DataFrame:
    return events.groupBy("person").agg(f.percentile_approx("amount", 0.5).alias("half"))


def about_half_moved(events: DataFrame) -> DataFrame:
    return about_half(events.orderBy("at"))


def pivoted(events: DataFrame) -> DataFrame:
    return events.groupBy("person").pivot("kind", ["buy", "sell"]).agg(f.sum("amount"))


def pivoted_by_hand(events: DataFrame) -> DataFrame:
    sums = [f.sum(f.when(f.col("kind") == kind, f.col("amount"))) for kind in ("buy", "sell")]
    return events.groupBy("person").agg(*sums)


def pivoted_to_zero(events: DataFrame) -> DataFrame:
    sums = [f.sum(f.when(f.col("kind") == kind, f.col("amount")).otherwise(0)) for kind in ("buy", "sell")]
    return events.groupBy("person").agg(*sums)


def counted_by_kind(events: DataFrame) -> DataFrame:
    return events.groupBy("person").pivot("kind", ["buy"]).agg(f.count("amount"))


def counted_by_hand(events: DataFrame) -> DataFrame:
    return events.groupBy("person").agg(f.count(f.when(f.col("kind") == "buy", f.col("amount"))))


def hourly(events: DataFrame) -> DataFrame:
    counted = events.groupBy(f.window("at", "1 hour"), "person").count()
    return counted.where("person = 1").select("window.start", "person", "count")


def hourly_filtered_before(events: DataFrame) -> DataFrame:
    counted = events.where("person = 1").groupBy("person", f.window("at", "1 hour")).count()
    return counted.select("window.start", "person", "count")


def older(people: DataFrame) -> DataFrame:
    return people.where(f.datediff(f.current_date(), "born") > 100).select("id", f.current_timestamp().alias("now"))


def older_turned(people: DataFrame) -> DataFrame:
    with_days = people.withColumn("days", f.datediff(f.current_date(), "born")).where("100 < days")
    return with_days.select("id", f.expr("now()").alias("now"))


def second(events: DataFrame) -> DataFrame:
    return events.select("id", f.nth_value("kind", 2).over(_so_far()).alias("kind"))


def second_moved(events: DataFrame) -> DataFrame:
    return second(events.orderBy("at"))


def drawn(people: DataFrame) -> DataFrame:
    return people.where(f.rand(7) < 0.5)


def identified(people: DataFrame) -> DataFrame:
    return people.select("id", f.uuid())


def numbered(people: DataFrame) -> DataFrame:
    return people.select("id", f.monotonically_increasing_id())


def encrypted(people: DataFrame) -> DataFrame:
    return people.select("id", f.aes_encrypt("name", "code"))


def shuffled(people: DataFrame) -> DataFrame:
    return people.select("id", f.shuffle("tags"))


def uniform(people: DataFrame) -> DataFrame:
    return people.select("id", f.transform("tags", lambda tag: f.uniform(1, 5)))


def sketched(people: DataFrame) -> DataFrame:
    return people.groupBy("name").agg(f.kll_sketch_agg_bigint("id"))


def collated(people: DataFrame) -> DataFrame:
    return people.where(f.collate("name", "UTF8_LCASE") == "a")


# texts that are joined, parted and hashed


def joined_texts(people: DataFrame) -> DataFrame:
    return people.select(f.concat_ws("-", "name", "notes").alias("both"))


def joined_later(people: DataFrame) -> DataFrame:
    return people.select("notes", "name").withColumn("both", f.expr("concat_ws('-', name, notes)")).select("both")


def joined_with_blanks(people: DataFrame) -> DataFrame:
    return people.select(f.concat(f.coalesce("name", f.lit("")), f.lit("-"), f.coalesce("notes", f.lit(""))))


def domains(people: DataFrame) -> DataFrame:
    return people.select(f.substring_index("name", "@", -1).alias("part"))


def first_parts(people: DataFrame) -> DataFrame:
    return people.select(f.substring_index("name", "@", 1).alias("part"))


def hashed(people: DataFrame) -> DataFrame:
    return people.select(f.sha2("name", 256).alias("key"), f.md5("notes").alias("other"))


def hashed_or_empty(people: DataFrame) -> DataFrame:
    return people.select(f.sha2(f.coalesce("name", f.lit("")), 256).alias("key"), f.md5("notes").alias("other"))


# moments


def starts_of_hours(events: DataFrame) -> DataFrame:
    return events.select(f.date_trunc("hour", "at").alias("start"), f.hour("at"))


def starts_of_days(events: DataFrame) -> DataFrame:
    return events.select(f.date_trunc("day", "at").alias("start"), f.hour("at"))


def seconds(events: DataFrame) -> DataFrame:
    return events.select(f.unix_timestamp("at").alias("s"))


def seconds_or_none(events: DataFrame) -> DataFrame:
    return events.select(f.when(f.unix_timestamp("at") > 0, f.unix_timestamp("at")).alias("s"))


# NULL where a function is NULL for NULL


def marked(people: DataFrame) -> DataFrame:
    return people.select(f.coalesce(f.get_json_object("notes", "$.mark"), f.lit("none")).alias("mark"))


def marked_or_left_out(people: DataFrame) -> DataFrame:
    return marked(people.where("notes IS NOT NULL"))


# the row of a group that comes first


def latest_numbered(events: DataFrame) -> DataFrame:
    newest = Window.partitionBy("person").orderBy(f.desc("at"), f.desc("id"))
    return events.withColumn("n", f.row_number().over(newest)).where("n = 1").select("person", "at", "id")


def latest(events: DataFrame) -> DataFrame:
    newest = f.max(f.struct("at", "id", "kind")).alias("newest")
    return events.groupBy("person").agg(newest).select("person", "newest.at", "newest.id")


def earliest(events: DataFrame) -> DataFrame:
    newest = f.min(f.struct("at", "id", "kind")).alias("newest")
    return events.groupBy("person").agg(newest).select("person", "newest.at", "newest.id")


def kind_of_newest(events: DataFrame) -> DataFrame:
    return events.groupBy("person").agg(f.max_by("kind", f.struct("at", "id")).alias("kind"))


def kind_of_newest_numbered(events: DataFrame) -> DataFrame:
    newest = Window.partitionBy("person").orderBy(f.desc("at"), f.desc("id"))
    return events.withColumn("n", f.row_number().over(newest)).where("n = 1").select("person", "kind")


def changed(events: DataFrame) -> DataFrame:
    struct = f.struct("kind", "amount").withField("price", f.col("price")).dropFields("kind")
    return events.where("amount > 1").select("id", struct.alias("paid"))


def changed_before(events: DataFrame) -> DataFrame:
    struct = f.struct("kind", "amount").withField("price", f.col("price")).dropFields("kind")
    return events.withColumn("paid", struct).where("amount > 1").select("id", "paid")


def changed_to_more(events: DataFrame) -> DataFrame:
    struct = f.struct("kind", "amount").withField("price", -f.col("price")).dropFields("kind")
    return events.where("amount > 1").select("id", struct.alias("paid"))
