import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { runDetector } from '#ingest/detector/run-detector.ts';
import type { OutgoingEvent } from '#ingest/detector/sinks/event-sink.ts';
import type { EventV1 } from '#schemas/events/versions/v1.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { BARE_OPTIONS } from './detector-options.ts';

const SETTING = '/proc/sys/kernel/print-fatal-signals';

/** What this machine permits: both in a virtual machine or on bare metal as root, neither in most containers. */
function accessTo(path: string, flags: string): string | null {
  try {
    closeSync(openSync(path, flags));
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}

test('the running kernel: reads a record written to it, and the crash of a real process if the machine permits', async () => {
  const stopping = new AbortController();
  const taken: OutgoingEvent[] = [];
  const deps = {
    log: () => {},
    signal: stopping.signal,
    sink: {
      write: async (events: readonly OutgoingEvent[]) => {
        taken.push(...events);
      },
      close: async () => {},
    },
  };
  const closed = accessTo('/dev/kmsg', 'r');
  if (closed !== null) {
    await expect(runDetector(BARE_OPTIONS, deps)).rejects.toMatchObject({ code: closed });
    return;
  }
  const events = (): EventV1[] => taken.map(({ json }) => JSON.parse(json) as EventV1);
  const running = runDetector(BARE_OPTIONS, deps);

  if (accessTo('/dev/kmsg', 'a') === null) {
    const name = `trapline_test_${randomUUID().slice(0, 8)}`;
    const before = Date.now();
    await writeFile('/dev/kmsg', `<6>${name}: 3 callbacks suppressed\n`);
    const found = await waitFor('the written record', () => events().find(({ event }) => event.function_name === name));
    // A line written from user space is never accepted as a kernel line.
    expect(found.event).toMatchObject({ type: 'LinuxSuppressedCallback', facility: 'User', level: 'Info', count: 3 });
    expect(Math.abs(Date.parse(found.timestamp) - before)).toBeLessThan(60_000);
  }

  if (accessTo(SETTING, 'r+') === null) {
    const previous = await readFile(SETTING, 'utf8');
    await writeFile(SETTING, '1\n');
    try {
      const child = spawn('sh', ['-c', 'kill -SEGV $$'], { stdio: 'ignore' });
      await once(child, 'exit');
      const dump = await waitFor('the crash', () => {
        const signals = events().flatMap(({ event }) => (event.type === 'LinuxFatalSignal' ? [event] : []));
        return signals.find((event) => event.stack_dump.PID === String(child.pid));
      });
      expect(dump).toMatchObject({ signal: 'SIGSEGV', stack_dump: { Comm: 'sh' } });
    } finally {
      await writeFile(SETTING, previous);
    }
  }
  stopping.abort();
  expect((await running).reason).toBe('stopped');
});
