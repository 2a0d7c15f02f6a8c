import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readdirSync, rmdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runDetector } from '#ingest/detector/run-detector.ts';
import type { KmsgDevice } from '#ingest/detector/sources/kmsg-source.ts';
import type { EventV1 } from '#schemas/events/versions/v1.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { BARE_OPTIONS } from '../detector-options.ts';

const CRASHES = 20;
const INSTANCES = '/sys/kernel/tracing/instances';

function isPermitted(): boolean {
  try {
    closeSync(openSync('/dev/kmsg', 'r'));
    mkdirSync(`${INSTANCES}/trapline-1-0`);
    return true;
  } catch {
    return false;
  }
}

/** An empty kernel log, for machines that do not permit reading the real one. */
function silentDevice(): KmsgDevice {
  return {
    read() {
      throw Object.assign(new Error('EAGAIN'), { code: 'EAGAIN' });
    },
    close: () => {},
  };
}

async function crash(): Promise<number> {
  const child = spawn('sh', ['-c', 'kill -SEGV $$'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid as number;
}

test('the running kernel: each crash is one event, and the instance is removed at the end', async () => {
  const stopping = new AbortController();
  const events: EventV1[] = [];
  const said: string[] = [];
  // Simulates the trace instance of a killed detector: process 1 has another start time.
  const permitted = isPermitted();
  const running = runDetector(
    { ...BARE_OPTIONS, input: { kind: 'tracefs', path: '/dev/kmsg' } },
    {
      log: (_level, fields, message) => said.push(`${message} ${fields.reason ?? ''}`),
      signal: stopping.signal,
      ...(permitted ? {} : { openDevice: silentDevice }),
      sink: {
        write: async (outgoing) => {
          for (const { json } of outgoing) events.push(JSON.parse(json) as EventV1);
        },
        close: async () => {},
      },
    },
  );
  if (!permitted) {
    await waitFor('the message', () =>
      said.some((text) => text.startsWith('tracefs is not available: crashes are read')),
    );
    stopping.abort();
    expect((await running).reason).toBe('stopped');
    return;
  }
  await waitFor('tracing', () => said.some((text) => text.startsWith('tracing fatal signals')));
  const pids: number[] = [];
  for (let i = 0; i < CRASHES; i += 1) pids.push(await crash());
  const pidOf = ({ event }: EventV1): number =>
    event.type === 'LinuxFatalSignal' ? Number(event.stack_dump.PID) : Number(event.pid);
  await waitFor('the crashes', () => pids.every((pid) => events.some((event) => pidOf(event) === pid)));
  stopping.abort();
  expect(await running).toMatchObject({ reason: 'stopped', lostTraces: 0 });
  const found = events.filter((event) => pids.includes(pidOf(event)));
  expect(found.map(pidOf).sort()).toEqual([...pids].sort());
  for (const { event } of found)
    expect(event).toMatchObject({ signal_code: 0, user_stack: [expect.stringMatching(/^0x/)] });
  const left = readdirSync(INSTANCES).filter(
    (name) => name === 'trapline-1-0' || name.startsWith(`trapline-${process.pid}-`),
  );
  for (const name of left) rmdirSync(`${INSTANCES}/${name}`);
  expect(left).toEqual([]);
});
