"""What needs no server."""

from __future__ import annotations

import io
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from trapline import Client, FileInput, ServiceError, ServiceRateLimitError, ServiceTimeoutError
from trapline._call import json_of, path_of, query_of
from trapline._errors import ServiceConnectionError
from trapline._files import split_input
from trapline._retry import RetryPolicy


def test_arguments_win_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SERVICE_API_KEY", "SERVICE_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ValueError, match="SERVICE_API_KEY"):
        Client()
    monkeypatch.setenv("SERVICE_API_KEY", "env.key")
    monkeypatch.setenv("SERVICE_BASE_URL", "ftp://host")
    with pytest.raises(ValueError, match="base_url"):
        Client()
    Client(base_url="http://host").close()
    with pytest.raises(ValueError, match="timeout_seconds"):
        Client(base_url="http://host", timeout_seconds=0)


def test_a_segment_of_a_path_is_one() -> None:
    assert path_of("a/b", "größe &?#%") == "/a%2Fb/gr%C3%B6%C3%9Fe%20%26%3F%23%25"
    for segment in ("", ".", ".."):
        with pytest.raises(ValueError, match="id or a name"):
            path_of(segment)


def test_a_body_is_as_the_service_reads_it() -> None:
    east = timezone(timedelta(hours=2))
    body = json_of({"from_": datetime(2026, 3, 1, 12, 0, tzinfo=east), "to": "2026-03-02T00:00:00Z", "note": None, "statuses": ["failed"]})
    assert body == {"from": "2026-03-01T10:00:00Z", "to": "2026-03-02T00:00:00Z", "note": None, "statuses": ["failed"]}


def test_a_query_is_as_the_service_reads_it() -> None:
    east = timezone(timedelta(hours=2))
    assert query_of(
        {
            "wait_for_completion": 5,
            "has_feedback": True,
            "no_feedback": False,
            "include": ["files", "dataset"],
            "created_after": datetime(2026, 3, 1, 12, 0, tzinfo=east),
            "from_": "now()-7d",
            "file": ["/srv/a,b", "/srv/c"],
            "exclude": {"hostname": ["web-1", "web-2"]},
            "search": None,
        }
    ) == {
        "wait_for_completion": "5",
        "hasFeedback": "true",
        "noFeedback": "false",
        "include": "files,dataset",
        "createdAfter": "2026-03-01T10:00:00Z",
        "from": "now()-7d",
        "file": "/srv/a\\,b,/srv/c",
        "exclude.hostname": "web-1,web-2",
    }


def test_files_are_told_from_strings() -> None:
    opened = io.BytesIO(b"1")
    named = FileInput(b"2")
    scalars, files = split_input({"text": "core.bin", "path": Path("core.bin"), "open": opened, "named": named}, {"more": "x"})
    assert scalars == {"text": "core.bin"}
    assert files == {"path": Path("core.bin"), "open": opened, "named": named, "more": "x"}
    with pytest.raises(ValueError, match="in input and in files"):
        split_input({"a": 1}, {"a": "x"})


def test_waits_longer_each_time_and_never_for_nothing() -> None:
    policy = RetryPolicy(max_retries=8)
    busy = ServiceRateLimitError("busy", status=429)
    delays = [policy.delay(False, attempt, busy) or 0 for attempt in range(1, 9)]
    assert 0.25 <= delays[0] <= 0.5
    assert 4 <= delays[-1] <= 8
    assert policy.delay(True, 9, busy) is None
    assert (policy.delay(False, 1, ServiceRateLimitError("busy", retry_after=7)) or 0) > 7
    assert policy.delay(False, 1, ServiceConnectionError("broke")) is None
    assert policy.delay(True, 1, ServiceConnectionError("broke")) is not None
    assert policy.delay(True, 1, ServiceTimeoutError("silent")) is None


def test_the_key_is_in_no_representation() -> None:
    client = Client("id.topsecret", base_url="http://host")
    assert "topsecret" not in repr(client) + repr(vars(client))
    client.close()


def test_the_tree_of_exceptions_is_the_one_drawn() -> None:
    drawn = ServiceError.__doc__ or ""
    assert all(f"── {kind.__name__} " in drawn for kind in ServiceError.__subclasses__())
