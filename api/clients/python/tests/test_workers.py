"""Workers of both kinds against a real server."""

from __future__ import annotations

import threading
from typing import Any

import anyio
import pytest
from conftest import KEY, READER_KEY, URL

from trapline import AsyncClient, AsyncWorker, Client, LeasedTask, ServiceForbiddenError, TaskFailure, Worker


def asked(queue: str, type: str, input: Any = None) -> dict[str, Any]:
    return {"queue": queue, "type": type, "input": input}


def double(task: LeasedTask) -> object:
    return {"doubled": task.input["number"] * 2, "address": 2**63, "key": task.idempotency_key}


def refuse(task: LeasedTask) -> object:
    raise TaskFailure("not a file", retryable=False, status=422)


def test_a_worker_of_threads_does_tasks_and_says_why_they_fail(client: Client) -> None:
    both = threading.Barrier(2, timeout=60)

    def together(task: LeasedTask) -> object:
        both.wait()
        return double(task)

    worker = Worker(client, queue="python", handlers={"double": together, "refuse": refuse}, concurrency=2, name="py-1")
    running = threading.Thread(target=worker.run)
    running.start()
    runs = [client.workflows.run("client-worker", asked("python", "double", {"number": number})) for number in (2, 4)]
    refused = client.workflows.executions.run_and_wait("client-worker", asked("python", "refuse"))
    assert refused["status"] == "failed"
    assert "not a file" in str(refused["error"])
    results: list[Any] = []
    for run in runs:
        for event in client.executions.follow(run.execution_id):
            if event.event == "step" and event.status == "completed" and event.name == "ask":
                results.append(event.output)
    assert [result["doubled"] for result in results] == [4, 8]
    assert results[0]["address"] == "0x8000000000000000"
    (queue,) = [queue for queue in client.worker_tasks.queues().data if queue.queue == "python"]
    assert [worker.name for worker in queue.workers] == ["py-1"]
    worker.stop()
    running.join(60)
    assert not running.is_alive()


def test_a_thread_receives_the_end_of_a_cancelled_run_with_the_next_heartbeat(client: Client) -> None:
    began = threading.Event()
    ended = threading.Event()

    def wait(task: LeasedTask) -> object:
        began.set()
        for _ in range(600):
            if task.ended:
                ended.set()
                break
            ended.wait(0.1)
        return None

    worker = Worker(client, queue="python-ends", handlers={"wait": wait}, lease_seconds=5, stop_seconds=1)
    running = threading.Thread(target=worker.run)
    running.start()
    run = client.workflows.run("client-worker", asked("python-ends", "wait"))
    assert began.wait(60)
    client.workflows.executions.cancel(run.execution_id)
    assert ended.wait(60)
    worker.stop()
    running.join(60)
    assert not running.is_alive()


def test_a_worker_without_the_scope_ends_with_the_error() -> None:
    with Client(READER_KEY, base_url=URL) as reader, pytest.raises(ServiceForbiddenError):
        Worker(reader, queue="python", handlers={"double": double}).run()


@pytest.mark.anyio
async def test_a_worker_of_coroutines_gives_tasks_back_when_it_stops() -> None:
    async with AsyncClient(KEY, base_url=URL) as client:
        took = anyio.Event()

        async def never(task: LeasedTask) -> object:
            took.set()
            await anyio.sleep_forever()
            return None

        async def tokens(task: LeasedTask) -> object:
            return [task.fencing_token, task.losses]

        first = AsyncWorker(client, queue="python-async", handlers={"any": never}, stop_seconds=0)
        second = AsyncWorker(client, queue="python-async", handlers={"any": tokens, "double": _double})
        async with anyio.create_task_group() as group:
            group.start_soon(first.run)
            run = await client.workflows.run("client-worker", asked("python-async", "any"))
            await took.wait()
            first.stop()
            group.start_soon(second.run)
            async for event in client.executions.follow(run.execution_id):
                if event.event == "step" and event.status == "completed":
                    assert event.output == [2, 0]
            doubled = await client.workflows.executions.run_and_wait(
                "client-worker", asked("python-async", "double", {"number": 2})
            )
            assert doubled["result"]["doubled"] == 4
            second.stop()


async def _double(task: LeasedTask) -> object:
    return double(task)
