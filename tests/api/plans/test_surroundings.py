"""No verdict hangs on the machine and the session in which functions happen to be called."""

from __future__ import annotations

import argparse
import os
import re
import sqlite3
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from tallystick import Answer
from tallystick.frontends.errors import SourceError
from tallystick.plans.functions import check_functions
from tallystick.replay.catalyst.surroundings import Surroundings
from tallystick.replay.catalyst.unknown_rows import LOOKS, Refusal

SCHEMA = "CREATE TABLE t (x INT NOT NULL, y INT)"
JOBS = """
import datetime, glob, logging, os, time
from pathlib import Path
from pyspark import StorageLevel

def everything(t): return t
def some(t, wanted): return t.where("x > 3") if wanted else t
def of_setting(t): return some(t, t.sparkSession.conf.get("spark.my.flag", "no") == "yes")
def of_partitions(t): return some(t, t.sparkSession.conf.get("spark.sql.shuffle.partitions") == "200")
def of_all_settings(t): return some(t, "spark.my.flag" in dict(t.sparkSession.sparkContext.getConf().getAll()))
def of_master(t): return some(t, t.sparkSession.sparkContext.master == "yarn")
def of_tables(t): return some(t, any(each.name == "flag" for each in t.sparkSession.catalog.listTables()))
def of_level(t): return some(t, t.storageLevel == StorageLevel.MEMORY_ONLY)
def of_a_path(t): return some(t, os.path.exists("/lake/flag"))
def of_a_file(t): return some(t, Path("/lake/flag").is_file())
def of_files(t): return some(t, glob.glob("/lake/*"))
def of_a_folder(t):
    try:
        return some(t, os.listdir("/lake"))
    except BaseException:
        return t
def of_text(t):
    try:
        return some(t, open("/lake/flag").read() == "yes")
    except OSError:
        return t
def of_variable(t): return some(t, os.environ.get("FLAG") == "yes")
def of_environment(t): return some(t, "FLAG" in os.environ)
def of_today(t): return some(t, datetime.date.today().year > 2100)
def of_now(t): return some(t, datetime.datetime.now().date().year > 2100)

def of_own(t):
    t.sparkSession.conf.set("spark.my.flag", "no")
    t.sparkSession.sql("SET spark.my.other=no")
    read = [t.sparkSession.conf.get(each) for each in ("spark.my.flag", "spark.my.other")]
    ansi = t.sparkSession.conf.get("spark.sql.ansi.enabled")
    return some(t, "yes" in read or ansi == "maybe")
def of_own_files(t):
    here = Path(__file__).resolve().parent
    (here / "condition.sql").exists()
    return t.where((here / "condition.sql").read_text()).where(open(f"{here}/condition.sql").read())
def of_condition(t): return t.where("x > 1")
def logs(t):
    start = time.time()
    logging.getLogger(__name__).info("started %s", datetime.datetime.now())
    print(os.environ.get("FLAG"))
    import decimal, json.tool
    t.sparkSession.range(3).count()
    print(time.time() - start)
    return t
"""
AT_IMPORT = """
import datetime, os
ASKED = {}
def everything(t): return t
"""


@pytest.mark.spark
@pytest.mark.slow
def test_what_a_function_asks_of_the_world_is_refused(tmp_path: Path) -> None:
    from tallystick.replay.catalyst.process import SparkPlans

    (tmp_path / "jobs.py").write_text(JOBS, encoding="utf-8")
    (tmp_path / "condition.sql").write_text("x > 1", encoding="utf-8")
    with SparkPlans() as spark:

        def verdict(before: str, after: str, file: str = "jobs.py") -> Answer:
            names = [f"{tmp_path}/{file}:{before}", f"{tmp_path}/jobs.py:{after}"]
            return check_functions(*names, schema=SCHEMA, timeout=20.0, spark=spark, replay="reference").verdict

        for before, after in (("of_own", "everything"), ("of_own_files", "of_condition"), ("logs", "everything")):
            assert verdict(before, after) is Answer.EQUIVALENT
        for before, message in (
            ("of_setting", "it asks for the setting spark.my.flag, which it has not set"),
            ("of_partitions", "it asks for the setting spark.sql.shuffle.partitions, which it has not set"),
            ("of_all_settings", "it asks for getConf of the session"),
            ("of_master", "it asks for master of the session"),
            ("of_tables", LOOKS),
            ("of_level", LOOKS),
            ("of_a_path", "it asks for the file /lake/flag of this machine"),
            ("of_a_file", "it asks for the file /lake/flag of this machine"),
            ("of_files", "it asks for the file /lake"),
            ("of_a_folder", "it asks for the file /lake of this machine"),
            ("of_text", "it asks for the file /lake/flag of this machine"),
            ("of_variable", "it asks for the environment variable FLAG"),
            ("of_environment", "it asks for the environment variable FLAG"),
            ("of_today", "it asks for the clock (date.today)"),
            ("of_now", "it asks for the clock (datetime.now)"),
        ):
            with pytest.raises(SourceError, match=re.escape(message)):
                verdict(before, "everything")
        for asked, message in (
            ('os.environ.get("FLAG")', "it asks for the environment variable FLAG"),
            ("datetime.date.today()", "it asks for the clock (date.today)"),
        ):
            (tmp_path / "at_import.py").write_text(AT_IMPORT.format(asked), encoding="utf-8")
            with pytest.raises(SourceError, match=re.escape(message)):
                verdict("everything", "everything", "at_import.py")


def test_options_and_time_zones_are_no_facts_of_a_machine(tmp_path: Path) -> None:
    around = Surroundings()
    with around.watched([str(tmp_path)]):
        assert argparse.ArgumentParser().parse_args([]) is not None
        assert ZoneInfo.no_cache("Europe/Berlin").key == "Europe/Berlin"
    with pytest.raises(Refusal, match="LANGUAGE"), around.watched([str(tmp_path)]):
        os.environ.get("LANGUAGE")


def test_a_database_of_the_machine_is_none_of_the_program(tmp_path: Path) -> None:
    around = Surroundings()
    with pytest.raises(Refusal, match="sqlite3"), around.watched([str(tmp_path)]):
        sqlite3.connect(":memory:")
