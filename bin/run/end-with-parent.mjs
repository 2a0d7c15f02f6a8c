// Preloaded into the processes that bootstrap starts. If bootstrap is killed, it cannot forward signals. The kernel
// then closes the IPC channel, and this process ends: gracefully if it handles signals, then together with its process
// group.

const GRACE_MS = 12_000;

// Grandchildren inherit the environment and possibly the preload. Only the direct child of bootstrap acts on it.
if (process.env.END_WITH_PARENT === String(process.ppid) && process.channel) {
  process.once('disconnect', () => {
    process.once('exit', endGroup);
    if (process.listenerCount('SIGTERM') === 0) endGroup();
    process.kill(process.pid, 'SIGTERM');
    setTimeout(endGroup, GRACE_MS).unref();
  });
  process.channel.unref(); // The listener must not keep the process alive.
}
delete process.env.END_WITH_PARENT;

/** Kills the process group that this process leads. */
function endGroup() {
  process.kill(-process.pid, 'SIGKILL');
}
