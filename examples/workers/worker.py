import hashlib
import pathlib
import signal

from trapline import Client, LeasedTask, Worker


def hash_file(task: LeasedTask) -> dict[str, str]:
    return {"sha256": hashlib.sha256(pathlib.Path(task.input["path"]).read_bytes()).hexdigest()}


worker = Worker(Client(), queue="files", handlers={"hash": hash_file}, concurrency=4)
signal.signal(signal.SIGTERM, lambda *_: worker.stop())
worker.run()
