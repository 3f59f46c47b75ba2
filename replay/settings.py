"""Spark's settings: quiet, and with all that it writes in one folder."""

from __future__ import annotations

LONGEST_SOCKET_FOLDER = 50
"""Spark's jobs take half the time over Unix sockets, whose whole path has at most 104 characters on some systems."""


def spark_settings(name: str, master: str, folder: str) -> dict[str, str]:
    """The settings of a Spark application of this name that writes what it has to write in `folder`."""
    settings = {
        "spark.app.name": name,
        "spark.master": master,
        "spark.local.dir": folder,
        "spark.log.level": "OFF",
        "spark.sql.warehouse.dir": f"{folder}/warehouse",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    if master.startswith("local"):
        # Jobs are small and short: start quickly, and do not look up this machine's name.
        options = f"-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Djava.io.tmpdir={folder}"
        settings |= {
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.extraJavaOptions": options,
            "spark.driver.host": "127.0.0.1",
            "spark.python.unix.domain.socket.dir": folder,
            "spark.python.unix.domain.socket.enabled": str(len(folder) <= LONGEST_SOCKET_FOLDER).lower(),
        }
    return settings
