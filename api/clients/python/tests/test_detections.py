from __future__ import annotations

import pytest

from trapline import Client, DetectionFilters, EventFilters, RecordFilters, ServiceValidationError


def crash(n: int) -> dict[str, object]:
    """A crash whose addresses need all 64 bits, one after the other."""
    ip = 0x7FFF_FFFF_FFFF_FF01 + n
    return {
        "version": "V1",
        "timestamp": f"2026-03-01T12:00:{n:02d}Z",
        "hostname": "python-host",
        "event": {
            "type": "LinuxKernelTrap",
            "facility": "Kern",
            "level": "Info",
            "procname": "probed",
            "pid": 100 + n,
            "ip": ip,
            "sp": 0xFFFF_FFFF_FFFF_FFFF,
            "trap": {"type": "Segfault", "location": ip},
            "errcode": {
                "access_mode": "User",
                "access_type": "Read",
                "instruction_fetch": True,
                "protection_keys_block_access": False,
                "reason": "NoPageFound",
                "use_of_reserved_bit": False,
            },
        },
    }


def test_crashes_become_events_and_a_detection(client: Client) -> None:
    taken = client.events.submit([*(crash(n) for n in range(20)), {"version": "V9"}])
    assert taken.accepted == 20
    assert [rejected.index for rejected in taken.rejected] == [20]
    page = client.events.list(hostname="python-host", type="LinuxKernelTrap", limit=3)
    assert len(page.data) == 3
    assert page.next_cursor is not None
    everything = list(client.events.iterate(hostname="python-host", type="LinuxKernelTrap"))
    assert {stored.event["event"]["ip"] for stored in everything} == {0x7FFF_FFFF_FFFF_FF01 + n for n in range(20)}
    assert client.events.get(everything[0].id) == everything[0]
    assert everything[0].hex["ip"] == hex(everything[0].event["event"]["ip"])
    [detection] = client.detections.iterate(hostname="python-host")
    assert detection.rule.id == "instruction-pointer-probe"
    assert detection.register_ == "ip"
    with_evidence = client.detections.get(detection.id)
    assert with_evidence.evidence_complete
    assert len(with_evidence.evidence) >= detection.evidence_count > 0
    decided = client.detections.update(detection.id, status="closed", verdict="true_positive", note="a drill")
    assert (decided.id, decided.status, decided.verdict, decided.note) == (
        detection.id,
        "closed",
        "true_positive",
        "a drill",
    )
    assert client.detections.update(detection.id, verdict=None).verdict is None
    grouped = client.detections.groups("procname", hostname="python-host", severity=["critical", "high", "medium"])
    assert (grouped.groups, grouped.detections) == (1, 1)
    assert (grouped.data[0].value, grouped.data[0].crashes) == ("probed", detection.crashes)
    assert client.detections.count(hostname="python-host", exclude={"status": "closed"}).detections == 0
    assert client.detections.list(hostname="no-such-host", severity="high", from_="2026-01-01T00:00:00Z").data == []


def test_every_filter_of_the_types_is_accepted(client: Client) -> None:
    both: RecordFilters = {
        "from_": "2026-01-01T00:00:00Z",
        "to": "2026-01-02T00:00:00Z",
        "hostname": "h",
        "procname": "p",
        "file": "/f",
        "register": "ip",
        "executable": "/usr/sbin/nginx",
        "unit": "nginx.service",
        "container": "4f2a",
        "pod": "2f1b6c0e",
        "detection": f"det_{'0' * 32}",
        "q": "nginx",
    }
    of_events: EventFilters = {
        **both,
        "type": ["LinuxKernelTrap", "LinuxFatalSignal"],
        "exclude": {"hostname": ["h-1", "h-2"], "type": "ConfigMismatch"},
    }
    of_detections: DetectionFilters = {
        **both,
        "rule": "instruction-pointer-probe",
        "campaign": "null",
        "severity": ["high", "critical"],
        "status": "new",
        "verdict": "null",
        "assignee": ["null", "ann"],
        "parent": "systemd",
        "exclude": {"hostname": "h-1", "severity": ["low", "info"]},
        "sort": "severity",
        "order": "asc",
    }
    assert of_events.keys() == EventFilters.__optional_keys__
    assert of_detections.keys() == DetectionFilters.__optional_keys__
    assert client.events.list(**of_events).data == []
    assert client.detections.list(**of_detections).data == []


def test_all_rejected_is_an_error(client: Client) -> None:
    with pytest.raises(ServiceValidationError):
        client.events.submit([{"version": "V9"}])


def test_rules_are_listed(client: Client) -> None:
    assert "instruction-pointer-probe" in {rule.id for rule in client.rules.list().data}
