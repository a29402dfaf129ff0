"""Where the key and the address come from, and what is no key and no address."""

from __future__ import annotations

import pytest

from mxproof import AsyncMXProof, MXProof
from mxproof.admin import AdminClient, AsyncAdminClient

KEY = "mx_test_0123456789"


@pytest.mark.parametrize("kind", [MXProof, AsyncMXProof])
def test_key_and_address_come_from_the_environment(
    kind: type[MXProof] | type[AsyncMXProof], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MXPROOF_URL", raising=False)
    monkeypatch.setenv("MXPROOF_API_KEY", "")
    with pytest.raises(ValueError, match=r"No API key: pass api_key, or set MXPROOF_API_KEY\."):
        kind()
    monkeypatch.setenv("MXPROOF_API_KEY", KEY)
    assert "http://127.0.0.1:8080" in repr(kind())
    monkeypatch.setenv("MXPROOF_URL", "https://mxproof.example.com/v1/")
    assert repr(kind()) == f"{kind.__name__}(base_url='https://mxproof.example.com')"
    assert (
        kind("mx_live_x", "https://other.example/sub")._service.settings.origin == "https://other.example/sub"
    )


@pytest.mark.parametrize(
    "url",
    [
        "",
        "mxproof.example.com",
        "ftp://x",
        "http://",
        "http://a b",
        "https://x/\r\ny",
        "https://ü.example",
        "http://x:99999",
        "http://[::1",
    ],
)
def test_what_is_no_address_is_said(url: str) -> None:
    with pytest.raises(ValueError, match="base_url is the address of your MXProof service"):
        MXProof(KEY, url)


@pytest.mark.parametrize("url", ["https://a:b@x", "https://x/?a", "https://x/#a"])
def test_an_address_has_nothing_beside_it(url: str) -> None:
    with pytest.raises(ValueError, match="no user name, query or fragment"):
        MXProof(KEY, url)


@pytest.mark.parametrize("key", ["", "mx_live_\n", "mx_live_ü", "a b"])
def test_what_is_no_key_is_said_without_it(key: str) -> None:
    with pytest.raises(ValueError, match="api_key is your MXProof key") as error:
        MXProof(key, "http://127.0.0.1:1")
    assert key == "" or key not in str(error.value)


@pytest.mark.parametrize(
    "wrong", [{"timeout": 0}, {"deadline": -1}, {"max_retries": -1}, {"timeout": float("nan")}]
)
def test_limits_limit(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="timeout|max_retries"):
        MXProof(KEY, "http://127.0.0.1:1", **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [AdminClient, AsyncAdminClient])
def test_an_operators_key_has_a_variable_of_its_own(
    kind: type[AdminClient] | type[AsyncAdminClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MXPROOF_API_KEY", KEY)
    monkeypatch.setenv("MXPROOF_URL", "https://mxproof.example.com/v1/")
    monkeypatch.delenv("MXPROOF_ADMIN_KEY", raising=False)
    with pytest.raises(ValueError, match=r"No admin key: pass admin_key, or set MXPROOF_ADMIN_KEY\."):
        kind()
    with pytest.raises(ValueError, match="admin_key is your operator's key"):
        kind("mx_admin_\n")
    monkeypatch.setenv("MXPROOF_ADMIN_KEY", "mx_admin_x")
    assert repr(kind()) == f"{kind.__name__}(base_url='https://mxproof.example.com')"
    for ending in ("", "/", "/v1", "/admin/v1", "/admin/v1/"):
        origin = kind(base_url=f"https://other.example/sub{ending}")._service.settings.origin
        assert origin == "https://other.example/sub"
