from __future__ import annotations

import pytest

from trapline import Client, ServiceValidationError


def crash(n: int) -> dict[str, object]:
    return {
        "version": "V1",
        "timestamp": f"2026-03-01T12:00:{n:02d}Z",
        "hostname": "python-host",
        "event": {
            "LinuxKernelTrap": {
                "level": "Info",
                "trap": "SegmentationFault",
                "procname": "probed",
                "pid": 100 + n,
                "ip": 0x4000_0000_0000_0000 + n,
                "sp": 0x7FFF_FFFF_FFFF_F000,
            }
        },
    }


def test_rules_are_listed(client: Client) -> None:
    assert "instruction-pointer-probe" in {rule["id"] for rule in client.rules.list().data}


def test_rejected_events_are_told(client: Client) -> None:
    with pytest.raises(ServiceValidationError):
        client.events.submit([{"version": "V9"}])
