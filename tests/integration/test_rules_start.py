"""How the service starts, and how it says that it cannot."""

from __future__ import annotations

import shutil
import socket
import subprocess
from pathlib import Path
from typing import Any

import grpc
import pytest

from tests.kit.requests import make
from tests.kit.rules_process import RulesProcess, failed_start
from tests.kit.rules_server import serving
from turntable_proto.rules.v1 import rules_service_pb2_grpc as pb_grpc
from turntable_rules.server.settings import Settings, SettingsError, read_settings


@pytest.mark.parametrize(
    ("variable", "value", "told"),
    [
        ("PROT", "50051", "TURNTABLE_RULES_PROT is not a setting; there are TURNTABLE_RULES_HOST, "),
        ("PORT", "many", "TURNTABLE_RULES_PORT: 'many' is not a whole number"),
        ("PORT", "1.5", "TURNTABLE_RULES_PORT: '1.5' is not a whole number"),
        ("PORT", "65536", "TURNTABLE_RULES_PORT is not from 0 to 65535"),
        ("MAX_BATCH", "0", "TURNTABLE_RULES_MAX_BATCH is not from 1 to "),
        ("GRACE_SECONDS", "soon", "TURNTABLE_RULES_GRACE_SECONDS: 'soon' is not a number"),
        ("GRACE_SECONDS", "nan", "TURNTABLE_RULES_GRACE_SECONDS is not from 0 to "),
        ("REFLECTION", "maybe", "TURNTABLE_RULES_REFLECTION: 'maybe' is neither true nor false"),
        ("LOG_LEVEL", "loud", "TURNTABLE_RULES_LOG_LEVEL is not debug, info, warning or error"),
        ("TLS_KEY", "key.pem", "a TLS certificate and its key go together"),
        ("TLS_CLIENT_AUTHORITY", "ca.pem", "a client authority needs a TLS certificate and key"),
    ],
)
def test_a_setting_that_makes_no_sense_is_named(variable: str, value: str, told: str) -> None:
    with pytest.raises(SettingsError) as caught:
        read_settings({f"TURNTABLE_RULES_{variable}": value})
    assert told in str(caught.value)


def test_settings_come_from_the_environment_and_nowhere_else() -> None:
    given = {"TURNTABLE_RULES_PORT": "7", "TURNTABLE_RULES_REFLECTION": "no", "PORT": "9"}
    assert read_settings(given) == Settings(port=7, reflection=False)


def test_everything_wrong_is_said_at_once_and_nothing_started() -> None:
    code, said = failed_start(port="x", max_batch=0, tls_certificate="nowhere.pem", tls_key="nowhere.pem")
    assert code == 1
    for fault in ("PORT: 'x' is not a whole number", "MAX_BATCH is not from", "there is no file nowhere.pem"):
        assert fault in said
    assert said.startswith("turntable-rules: ") and "Traceback" not in said


@pytest.mark.parametrize("setting", ["port", "metrics_port"])
def test_a_port_that_is_taken_is_a_clear_message(setting: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, said = failed_start(**{"port": 0, setting: port})
    assert code == 1
    assert f"turntable-rules: cannot listen on 127.0.0.1:{port}" in said and "Traceback" not in said


def test_files_that_are_no_certificates_are_a_clear_message(tmp_path: Path) -> None:
    junk = tmp_path / "junk.pem"
    junk.write_text("junk")
    code, said = failed_start(port=0, tls_certificate=junk, tls_key=junk)
    assert code == 1
    assert "the TLS files are not what they should be" in said and "Traceback" not in said


def test_reflection_can_be_turned_off() -> None:
    with serving(reflection=False) as server, grpc.insecure_channel(server.address) as channel:
        method: Any = channel.stream_stream("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo")
        with pytest.raises(grpc.RpcError) as caught:
            list(method(iter([b""])))
        error: grpc.Call = caught.value  # type: ignore[assignment]
        assert error.code() is grpc.StatusCode.UNIMPLEMENTED


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An authority and two certificates of it, for the server and for a client."""
    assert shutil.which("openssl"), "the TLS tests need the openssl command to make certificates with"
    folder = tmp_path_factory.mktemp("certificates")

    def openssl(*arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True, timeout=60)

    new_key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    openssl("req", "-x509", *new_key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=ca")
    (folder / "names").write_text("subjectAltName=IP:127.0.0.1,DNS:localhost")
    for name in ("server", "client"):
        openssl("req", *new_key, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
        openssl(
            *("x509", "-req", "-in", f"{name}.csr", "-out", f"{name}.pem", "-days", "2"),
            *("-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "names"),
        )
    return folder


def editions(address: str, credentials: grpc.ChannelCredentials | None) -> int | grpc.StatusCode:
    """How many editions the service lists, or with which status it does not."""
    channel = (
        grpc.secure_channel(address, credentials)
        if credentials is not None
        else grpc.insecure_channel(address)
    )
    with channel:
        try:
            answer = pb_grpc.RulesServiceStub(channel).ListEditions(make.ListEditionsRequest(), timeout=20)
        except grpc.RpcError as error:
            call: grpc.Call = error  # type: ignore[assignment]
            return call.code()
        return len(answer.editions)


def test_with_a_certificate_the_service_speaks_tls_only(certificates: Path, tmp_path: Path) -> None:
    authority = (certificates / "ca.pem").read_bytes()
    settings = {"tls_certificate": certificates / "server.pem", "tls_key": certificates / "server.key"}
    with RulesProcess(tmp_path / "log", **settings) as process:
        assert editions(process.address, grpc.ssl_channel_credentials(authority)) == 6
        assert editions(process.address, None) is grpc.StatusCode.UNAVAILABLE
        assert editions(process.address, grpc.ssl_channel_credentials()) is grpc.StatusCode.UNAVAILABLE


def test_with_a_client_authority_only_its_clients_are_served(certificates: Path, tmp_path: Path) -> None:
    authority, key, certificate = (
        (certificates / name).read_bytes() for name in ("ca.pem", "client.key", "client.pem")
    )
    settings = {
        "tls_certificate": certificates / "server.pem",
        "tls_key": certificates / "server.key",
        "tls_client_authority": certificates / "ca.pem",
    }
    with RulesProcess(tmp_path / "log", **settings) as process:
        known = grpc.ssl_channel_credentials(authority, key, certificate)
        assert editions(process.address, known) == 6
        stranger = grpc.ssl_channel_credentials(authority)
        assert editions(process.address, stranger) is grpc.StatusCode.UNAVAILABLE
