"""PostgreSQL and MariaDB, as servers of the tests' own.

Each runs as a user without rights, in a temporary folder, on a unix socket alone: no port is opened, and nothing of an
installed server is touched. It is stopped by `close()`, and by the kernel if the tests are killed.
"""

from __future__ import annotations

import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any, ClassVar, Final, TypeVar

from conformance.engines import Answer, Engine, FailedError, MissingError, RejectedError, first_line

PR_SET_PDEATHSIG: Final = 1
_LIBC: Final = ctypes.CDLL(None, use_errno=True)
T = TypeVar("T")


class Server(Engine):
    """A server in a folder of its own, which is a child of this process."""

    user: ClassVar[str] = "nobody"
    stop: ClassVar[signal.Signals] = signal.SIGTERM
    program: ClassVar[str]
    package: ClassVar[str]
    """What installs it, in Debian."""
    _connection: Any = None

    def __init__(self) -> None:
        program = self._found()
        self.folder = Path(tempfile.mkdtemp(prefix="cf-"))  # short: a socket's path has 107 bytes at most
        self._process: subprocess.Popen[bytes] | None = None
        self._rights: dict[str, Any] = {}
        if os.geteuid() == 0:  # both servers refuse to run as root
            entry = pwd.getpwnam(self.user)
            self._rights = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
        self.own(self.folder)
        self._log = open(self.folder / "log", "wb")  # noqa: SIM115 - as long as the server
        try:
            self._start(program)
            self.load()
        except BaseException:
            self.close()
            raise

    def _start(self, program: Path) -> None:
        """Makes the data, starts the server, and connects."""
        raise NotImplementedError

    def _found(self) -> Path:
        """The program. Raises MissingError."""
        places = [*os.environ.get("PATH", "").split(os.pathsep), "/usr/sbin"]
        places += map(str, sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True))
        found = shutil.which(self.program, path=os.pathsep.join(places))
        if found is None:
            raise MissingError(f"{self.product} is not installed; in Debian: apt-get install {self.package}")
        return Path(found)

    def own(self, path: Path) -> None:
        """Gives a file to the user that the server runs as."""
        if self._rights:
            os.chown(path, self._rights["user"], self._rights["group"])

    def command(self, *arguments: str | Path, stdin: IO[bytes] | None = None) -> None:
        """Runs a program to its end, as the server's user."""
        given = subprocess.DEVNULL if stdin is None else stdin
        done = subprocess.run(
            arguments, cwd=self.folder, stdin=given, stdout=self._log, stderr=self._log, timeout=180, **self._rights
        )
        if done.returncode:
            raise RuntimeError(f"{Path(arguments[0]).name} failed: {self._said()}")

    def serve(self, connect: Callable[[], T], *arguments: str | Path) -> T:
        """Starts the server, which ends when this process does; a connection, as soon as it takes one."""
        self._process = subprocess.Popen(
            arguments,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            # in the child after the change of user, which would clear it
            preexec_fn=lambda: _LIBC.prctl(PR_SET_PDEATHSIG, int(self.stop)),
            **self._rights,
        )
        end = time.monotonic() + 90
        while True:
            try:
                return connect()
            except Exception:
                if time.monotonic() > end or self._process.poll() is not None:
                    raise RuntimeError(f"{self.product} did not start: {self._said()}") from None
                time.sleep(0.1)

    def _said(self) -> str:
        return (self.folder / "log").read_text(errors="replace")[-600:]

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(self.stop)
            try:
                self._process.wait(30)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def _words(**codes: Sequence[int]) -> dict[int, str]:
    return {code: word for word, listed in codes.items() for code in listed}


class PostgreSQL(Server):
    """The order of texts is that of code points; UPPER and LOWER know all letters."""

    name = "postgres"
    product = "PostgreSQL"
    user = "postgres"
    stop = signal.SIGINT  # "fast": SIGTERM waits for clients
    program = "initdb"
    package = "postgresql"
    kinds: ClassVar = {"DOUBLE": "DOUBLE PRECISION"}
    types: ClassVar = _words(
        boolean=[16],
        integer=[20, 21, 23],
        double=[700, 701],
        decimal=[1700],
        text=[25, 1042, 1043, 705],
        date=[1082],
        timestamp=[1114, 1184],
        interval=[1083, 1186],
    )

    def __init__(self) -> None:
        import psycopg2

        self._psycopg2 = psycopg2
        super().__init__()

    def _start(self, program: Path) -> None:
        data, connect = self.folder / "d", self._psycopg2.connect
        locale = ("--locale=C", "--lc-ctype=C.UTF-8", "--encoding=UTF8")
        self.command(program, "-D", data, "--username=c", "--auth=trust", "--no-sync", *locale)
        settings = ("listen_addresses=", "fsync=off", "shared_buffers=16MB", "max_connections=5", "timezone=UTC")
        settings += ("autovacuum=off", "jit=off", "datestyle=ISO")
        self._connection = self.serve(
            lambda: connect(host=str(self.folder), user="c", dbname="postgres"),
            program.with_name("postgres"),
            *("-D", data, "-k", self.folder),
            *(word for setting in settings for word in ("-c", setting)),
        )
        self._connection.autocommit = True

    @property
    def version(self) -> str:
        return str(self.run("SHOW server_version").rows[0][0]).split()[0]

    def run(self, text: str) -> Answer:
        try:
            with self._connection.cursor() as cursor:
                cursor.execute(text)
                described = cursor.description
                # rows of no columns are counted only
                rows = [()] * max(cursor.rowcount, 0) if described is None else cursor.fetchall()
        except self._psycopg2.Error as problem:
            code = problem.pgcode or ""
            error = FailedError if code[:2] in ("21", "22") else RejectedError
            raise error(first_line(problem)) from None
        columns = described or ()
        types = tuple(self.types.get(each.type_code, str(each.type_code)) for each in columns)
        return Answer(tuple(each.name for each in columns), types, tuple(rows))


class MariaDB(Server):
    """In the modes that MySQL 8 has by default; texts are equal only if they are the same characters."""

    name = "mysql"
    product = "MariaDB"
    program = "mariadbd"
    package = "mariadb-server-core"
    loose = True
    kinds: ClassVar = {"TIMESTAMP": "DATETIME(6)"}
    types: ClassVar = _words(
        decimal=[0, 246],
        integer=[1, 2, 3, 8, 9, 13, 16],
        double=[4, 5],
        null=[6],
        timestamp=[7, 12],
        date=[10],
        interval=[11],
        text=[15, 249, 250, 251, 252, 253, 254],
    )
    tables: ClassVar = ("mysql_system_tables.sql", "mysql_performance_tables.sql", "mysql_system_tables_data.sql")
    failures: ClassVar = (1242, 1292, 1365, 1366, 1411, 1690)
    modes: ClassVar = (
        "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,"
        "NO_ENGINE_SUBSTITUTION"
    )

    def __init__(self) -> None:
        import pymysql

        self._pymysql = pymysql
        super().__init__()

    def _start(self, program: Path) -> None:
        data, boot, connect = self.folder / "d", self.folder / "boot.sql", self._pymysql.connect
        # A server that starts removes every `#sql…` of its folder for temporary tables, another server's, too.
        temporary = self.folder / "tmp"
        settings = (
            "--no-defaults",
            f"--datadir={data}",
            f"--tmpdir={temporary}",
            "--skip-networking",
            f"--socket={self.folder}/s",
            "--pid-file=p",
        )
        settings += ("--innodb-buffer-pool-size=16M", "--innodb-log-file-size=4M", "--innodb-flush-log-at-trx-commit=0")
        settings += ("--character-set-server=utf8mb4", "--collation-server=utf8mb4_nopad_bin", "--skip-log-bin")
        settings += ("--default-time-zone=+00:00", "--performance-schema=OFF", "--skip-grant-tables")
        (data / "mysql").mkdir(parents=True)
        temporary.mkdir()
        # mariadb-install-db wants the whole installation. One statement a line in this mode.
        texts = [(Path("/usr/share/mysql") / each).read_text(errors="replace") for each in self.tables]
        boot.write_text("\n".join(("CREATE DATABASE IF NOT EXISTS mysql;", "USE mysql;", *texts)))
        for each in (data, data / "mysql", temporary, boot):
            self.own(each)
        with boot.open("rb") as given:
            self.command(program, *settings, "--bootstrap", stdin=given)
        self._connection = self.serve(
            lambda: connect(unix_socket=str(self.folder / "s"), user="root", charset="utf8mb4", autocommit=True),
            program,
            *settings,
        )
        self.run("CREATE DATABASE c")
        self.run("USE c")
        self.run("SET NAMES utf8mb4 COLLATE utf8mb4_nopad_bin")
        self.run(f"SET SESSION sql_mode='{self.modes}'")

    def constant(self, value: Any) -> str:
        return super().constant(value).replace("\\", "\\\\")

    @property
    def version(self) -> str:
        return str(self.run("SELECT version()").rows[0][0]).split("-")[0]

    def run(self, text: str) -> Answer:
        try:
            with self._connection.cursor() as cursor:
                cursor.execute(text)
                columns, rows = cursor.description or (), cursor.fetchall()
        except self._pymysql.err.MySQLError as problem:
            error = FailedError if (problem.args or (0,))[0] in self.failures else RejectedError
            raise error(first_line(problem)) from None
        types = tuple(self._type(each) for each in columns)
        return Answer(tuple(each[0] for each in columns), types, tuple(rows))

    def _type(self, column: Sequence[Any]) -> str:
        """The type of a column; nothing tells a decimal without digits after its point from an integer."""
        word = self.types.get(column[1], str(column[1]))
        return "whole" if word == "decimal" and column[5] == 0 else word
