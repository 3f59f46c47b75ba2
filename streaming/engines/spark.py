"""The Spark that engines share: a SparkContext of our own or the one that is running, and how to leave no
trace."""

from __future__ import annotations

import atexit
import logging
import os
import re
import shutil
import signal
import socket
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from tallystick.streaming.engines.base import Deadline
from tallystick.streaming.errors import EngineUnavailableError

_T = TypeVar("_T")

#: Chosen for many small jobs on few cores: sockets without the delays of TCP, workers that do not collect
#: garbage after each task (see `python_daemon`), a JVM that is warm soon and seldom collects garbage, no
#: compression and checksums of a few bytes, no Java code to be compiled for each query.
_CONFIGURATION = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmn256m",
    "spark.locality.wait": "0s",
    "spark.broadcast.checksum": "false",
    "spark.broadcast.compress": "false",
    "spark.rdd.compress": "false",
    "spark.shuffle.checksum.enabled": "false",
    "spark.shuffle.compress": "false",
    "spark.shuffle.spill.compress": "false",
    "spark.python.unix.domain.socket.enabled": "true",
    "spark.python.daemon.module": "tallystick.streaming.engines.python_daemon",
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.streaming.pollingDelay": "1ms",
    "spark.sql.streaming.numRecentProgressUpdates": "1",
}

_SECONDS_TO_CLOSE = 10

#: The scratch folders of all engines of this process: two engines may share a context, and one SIGTERM ends both.
_SCRATCH_FOLDERS: set[str] = set()

#: The names that PySpark and the engines use for each small RDD; see `_keep_names`.
_JVM_NAMES = (
    "PairwiseRDD",
    "PythonPartitioner",
    "PythonRDD.readRDDFromFile",
    "PythonRDD.valueOfPair",
    "PythonUtils.getBroadcastThreshold",
    "PythonUtils.toSeq",
    "SimplePythonFunction",
    "org.apache.spark.api.python.SerDeUtil.javaToPython",
    "org.apache.spark.rdd.UnionRDD",
    "py4j.reflection.TypeUtil.isInstanceOf",
)


class SparkHolder:
    """A SparkContext: the running one, which is left running, or a new local one, which `close` stops."""

    def __init__(self, master: str = "local[2]", partitions: int = 1) -> None:
        self._handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        self.scratch = tempfile.mkdtemp(prefix="tallystick-streaming-")
        # A task that is being killed may make the folder anew after `close`, so it is looked for once more.
        atexit.register(_remove, self.scratch)
        _SCRATCH_FOLDERS.add(self.scratch)
        try:
            self.context, self._is_ours = _running_or_new(master, partitions, self.scratch)
        except BaseException:
            shutil.rmtree(self.scratch, ignore_errors=True)
            raise
        # If this process dies, whatever its context and the signal, the JVM ends too, and removes the folder.
        java: Any = self.context._jvm
        java.org.apache.spark.util.ShutdownHookManager.registerShutdownDeleteDir(java.java.io.File(self.scratch))
        self._had_callback_server = _callback_server() is not None
        _keep_names(self.context._jvm)
        self._is_stopped_by_signal = False
        if self._is_ours:
            self._complaints = self._java.lang.System.err
            self._hear_complaints(self._java.io.PrintStream(self._java.io.OutputStream.nullOutputStream()))
            self._handle_signals()

    @property
    def session(self) -> Any:
        """The SparkSession on the context."""
        from pyspark.sql import SparkSession

        return SparkSession(self.context)

    def close(self) -> None:
        """Cancel what runs, stop the context if it is ours, and remove the scratch folder."""
        try:
            if self._is_ours:
                self.context.cancelAllJobs()
                if not self._is_stopped_by_signal:
                    self._hear_complaints(self._complaints)
                _stop(self.context)
                if not self._had_callback_server:
                    _stop_callback_server()
                self._restore_handlers()
        finally:
            _remove(self.scratch)
            _SCRATCH_FOLDERS.discard(self.scratch)

    def _handle_signals(self) -> None:
        """Let Ctrl-C and a SIGTERM leave nothing behind but one line, whatever the program waits for."""
        if threading.current_thread() is not threading.main_thread():
            return
        signal.signal(signal.SIGINT, self._interrupted)
        if self._handlers[signal.SIGTERM] is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, self._terminated)

    def _interrupted(self, _: int, __: Any) -> None:
        """Instead of PySpark's own handler, after which Py4J and Python print pages of tracebacks."""
        self._silence()
        before = sys.excepthook

        def one_line(kind: type[BaseException], error: BaseException, trace: Any) -> None:
            if issubclass(kind, KeyboardInterrupt):
                print("interrupted: Spark is stopped and its files are removed", file=sys.stderr)
            else:
                before(kind, error, trace)

        sys.excepthook = one_line
        with suppress(Exception):
            self.context.cancelAllJobs()
        raise KeyboardInterrupt

    def _silence(self) -> None:
        """Let Py4J not say what was torn down, nor the JVM from now on."""
        self._is_stopped_by_signal = True
        logging.getLogger("py4j").setLevel(logging.CRITICAL + 1)
        logging.getLogger().addFilter(lambda record: "while sending command" not in record.getMessage())

    @property
    def _java(self) -> Any:
        jvm: Any = self.context._jvm
        return jvm.java

    def _hear_complaints(self, stream: Any) -> None:
        """Let the JVM print what its threads die of into a stream, while our context runs into none: what matters
        reaches Python as an exception, and `spark.log.level` is OFF too."""
        self._java.lang.System.setErr(stream)

    def _terminated(self, number: int, _: Any) -> None:
        self._silence()
        closing = threading.Thread(target=self.close, daemon=True)
        closing.start()
        closing.join(_SECONDS_TO_CLOSE)
        for folder in list(_SCRATCH_FOLDERS):
            _remove(folder)
        print("terminated: Spark is stopped and its files are removed", file=sys.stderr, flush=True)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    def _restore_handlers(self) -> None:
        """Put back the handlers, of which a SparkContext too replaces one and does not restore it when it stops."""
        if threading.current_thread() is threading.main_thread():
            for number, handler in self._handlers.items():
                signal.signal(number, handler)


@contextmanager
def cancelled_at(limit: Deadline, context: Any, number: int) -> Iterator[None]:
    """Cancel the jobs of a block when the deadline comes, and raise `CaseTimedOutError` then."""
    if limit.seconds is None:
        yield
        return
    timer = threading.Timer(max(limit.remaining(), 0), context.cancelAllJobs)
    timer.start()
    try:
        yield
    except Exception:
        limit.check(number)
        raise
    finally:
        timer.cancel()
        timer.join()
    limit.check(number)


@contextmanager
def pickled_by_value(subject: Any) -> Iterator[None]:
    """Send the functions of the subject's own module to the workers as they are, not by their names:
    workers cannot import a test module, which the test runner has put on no path of theirs.
    """
    from pyspark.cloudpickle import cloudpickle

    module = sys.modules.get(getattr(subject, "__module__", None) or "")
    registered = cloudpickle.list_registry_pickle_by_value()
    if module is None or not hasattr(module, "__file__") or module.__name__ in registered:
        yield
        return
    cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        cloudpickle.unregister_pickle_by_value(module)


def spark_errors() -> tuple[type[Exception], ...]:
    """What a failed job raises: Py4J's own error, or PySpark's instead of it once anything has imported its SQL."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    return Py4JJavaError, PySparkException


def cause_in_java(error: Any) -> str:
    """Return the end of the last Python traceback in a Java exception, or its message: what the subject raised."""
    text = str(error.java_exception.toString() if hasattr(error, "java_exception") else error)
    _, is_python, trace = text.rpartition("Traceback (most recent call last):")
    # The frames of a traceback are indented; what is raised is the first line that is not.
    raised = [line for line in trace.splitlines() if line and not line.startswith(" ")] if is_python else []
    if not raised:
        return text.splitlines()[0]
    # Below what Py4J raises on the driver are the JVM's own words.
    below = trace.partition(raised[0])[2]
    java = re.search(r"^(?:: )?((?:\w+\.)+\w+: .*)", below, re.MULTILINE)
    return java[1] if java and raised[0].startswith("py4j.protocol.") else raised[0]


class SparkFailedError(Exception):
    """Spark itself failed, and not the program: it may well do better when it is asked again."""


#: What Spark says when it does not get as far as a program's functions.
_OF_SPARK_ITSELF = re.compile(
    "Python worker failed to connect back|Error from python worker|Cannot run program|PYTHON_VERSION_MISMATCH"
    "|reading the port number from|No port number in|Invalid port number"
    "|java.net.BindException|Address already in use|SocketTimeoutException|No space left on device"
    "|unable to create native thread|SparkContext was shut down|stopped SparkContext"
)
#: Where it is in the JVM when it fails to start a worker.
_STARTS_A_WORKER = "at org.apache.spark.api.python.PythonWorkerFactory.create"
#: Seconds to wait before Spark is started, or asked, again.
_WAITS = (0.5, 2.0)


def refuse_failure_of_spark(error: Any) -> None:
    """Raise `SparkFailedError` for an error that says nothing of the program."""
    text = str(error.java_exception.toString() if hasattr(error, "java_exception") else error)
    ours, _, raised = text.partition("Traceback (most recent call last):")
    starts_a_worker = _STARTS_A_WORKER in str(error)
    if starts_a_worker or _OF_SPARK_ITSELF.search(ours) or "[PYTHON_VERSION_MISMATCH]" in raised:
        lines = [line for line in text.splitlines() if _OF_SPARK_ITSELF.search(line)] or text.splitlines()
        raise SparkFailedError(lines[0]) from error


def with_retries(attempt: Callable[[], _T]) -> _T:
    """Return what one of three attempts returns. Raises `EngineUnavailableError` if Spark fails in all."""
    from py4j.protocol import Py4JNetworkError

    for wait in (*_WAITS, None):
        try:
            return attempt()
        except (SparkFailedError, Py4JNetworkError) as error:
            if wait is None:
                said = (str(error).strip() or repr(error)).splitlines()[0]
                raise EngineUnavailableError(f"Spark failed {len(_WAITS) + 1} times: {said}") from error
            time.sleep(wait)
    raise AssertionError("the last attempt returns or raises")


def _running_or_new(master: str, partitions: int, scratch: str) -> tuple[Any, bool]:
    try:
        from pyspark import SparkConf, SparkContext
    except ImportError as error:
        raise EngineUnavailableError("this engine needs PySpark: pip install pyspark") from error
    running = SparkContext._active_spark_context
    if running is not None:
        return running, False
    if not (os.environ.get("JAVA_HOME") or shutil.which("java")):
        raise EngineUnavailableError('this engine needs Java 17 or later on the PATH; engine="local" does not')
    settings = {**_CONFIGURATION, "spark.default.parallelism": str(partitions), "spark.local.dir": scratch}
    settings["spark.sql.warehouse.dir"] = os.path.join(scratch, "warehouse")
    # Workers can import what the driver can.
    settings["spark.executorEnv.PYTHONPATH"] = os.pathsep.join(path or os.getcwd() for path in sys.path)
    conf = SparkConf().setMaster(master).setAppName("tallystick-streaming").setAll(list(settings.items()))

    def start() -> tuple[Any, bool]:
        try:
            return SparkContext(conf=conf), True
        except Exception as error:
            raise SparkFailedError(f"it does not start: {_reason(error)}") from error

    with _this_python(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return with_retries(start)


def _reason(error: BaseException) -> str:
    """Return the line of an error that says most: the last cause in the JVM, else the first line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [repr(error)]
    causes = [line for line in lines if line.startswith(("Caused by: ", ": "))]
    return causes[-1].removeprefix("Caused by: ").removeprefix(": ") if causes else lines[0]


@contextmanager
def _this_python() -> Iterator[None]:
    """Let workers run the interpreter that runs here, unless the user has chosen one."""
    chosen = os.environ.get("PYSPARK_PYTHON")
    os.environ["PYSPARK_PYTHON"] = chosen or sys.executable
    try:
        yield
    finally:
        if chosen is None:
            del os.environ["PYSPARK_PYTHON"]


def _keep_names(jvm: Any) -> None:
    """Look up the JVM's names once that PySpark uses for each RDD.

    Py4J asks the JVM for a name whenever it is used, and the JVM searches all of Spark's jars for each package in
    which it may be, which takes longer than all else together. What is set on Py4J's objects is not looked up.
    """
    for path in _JVM_NAMES:
        holder = jvm
        for name in path.split("."):
            found = getattr(holder, name)
            setattr(holder, name, found)
            holder = found


def _stop(context: Any) -> None:
    """Stop the context by its session, if it has one, so that the session is forgotten too."""
    from pyspark.sql import SparkSession

    session = SparkSession._instantiatedSession
    if session is not None and session.sparkContext is context:
        session.stop()
    else:
        context.stop()


def _remove(folder: str, attempts: int = 50) -> None:
    """Remove a folder in which a cancelled task may still be writing."""
    for _ in range(attempts):
        shutil.rmtree(folder, ignore_errors=True)
        if not os.path.exists(folder):
            return
        time.sleep(0.1)


def _callback_server() -> Any:
    from pyspark import SparkContext

    return getattr(SparkContext._gateway, "_callback_server", None)


def _stop_callback_server() -> None:
    """Stop the thread by which the JVM calls Python functions; PySpark starts it again when it is needed."""
    from pyspark import SparkContext

    gateway, server = SparkContext._gateway, _callback_server()
    if gateway is None or server is None:
        return
    for connection in list(server.connections):
        # Without this, py4j's own shutdown waits for threads that wait for the JVM.
        with suppress(OSError):
            connection.socket.shutdown(socket.SHUT_RDWR)
    gateway.shutdown_callback_server()
    gateway._callback_server = None
