// Preloaded into what bootstrap runs. When bootstrap is killed it can't pass anything on any more; the kernel closes the
// channel between us, and this process ends itself: gracefully if it knows how, then with all it started.

const GRACE_MS = 12_000;

// Grandchildren inherit the environment and perhaps the preload; only the child that bootstrap started is meant.
if (process.env.END_WITH_PARENT === String(process.ppid) && process.channel) {
  process.once('disconnect', () => {
    process.once('exit', endGroup);
    if (process.listenerCount('SIGTERM') === 0) endGroup();
    process.kill(process.pid, 'SIGTERM');
    setTimeout(endGroup, GRACE_MS).unref();
  });
  process.channel.unref(); // listening must not keep the process alive
}
delete process.env.END_WITH_PARENT;

/** This process leads a group of its own: itself and everything it started. */
function endGroup() {
  process.kill(-process.pid, 'SIGKILL');
}
