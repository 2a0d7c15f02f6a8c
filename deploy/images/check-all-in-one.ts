import { setTimeout as delay } from 'node:timers/promises';
import { docker, HARDENED, stopMeasured } from './docker.ts';

const DEMO_EVENTS = 171;
const DEMO_DETECTIONS = 1;
const START_TIMEOUT_MS = 300_000;
const MAIN = '/opt/trapline/deploy/cli/main.ts';

/**
 * Runs the image `all-in-one` on a new volume: first start with the demo capture, stop, second start on the same data,
 * stop.
 */
export async function checkAllInOne(image: string, report: (line: string) => void): Promise<string[]> {
  const volume = await docker('volume', 'create');
  try {
    const first = await runOnce(image, volume, report);
    const second = await runOnce(image, volume, report);
    return [...first, ...second];
  } finally {
    await docker('volume', 'rm', volume);
  }
}

async function runOnce(image: string, volume: string, report: (line: string) => void): Promise<string[]> {
  const started = Date.now();
  const container = await docker(
    ...['run', '--detach', ...HARDENED, `--volume=${volume}:/var/lib/trapline`, '--publish=127.0.0.1::8080', image],
  );
  try {
    const address = await docker('port', container, '8080/tcp');
    await becomesReady(container, `http://${address}/readyz`);
    report(`${image}: ready after ${seconds(started)} s`);
    const problems: string[] = [];
    for (const [kind, expected] of [
      ['events', DEMO_EVENTS],
      ['detections', DEMO_DETECTIONS],
    ] as const) {
      const found = await waitForCount(container, kind, expected);
      report(`${image}: ${found} ${kind}`);
      if (found !== expected) problems.push(`${image} has ${found} ${kind}, expected ${expected}`);
    }
    return [...problems, ...(await stopMeasured(container, image, report))];
  } finally {
    await docker('rm', '--force', container);
  }
}

async function becomesReady(container: string, url: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const ready = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return;
    const running = await docker('inspect', '--format={{.State.Running}}', container);
    if (running !== 'true' || Date.now() > deadline)
      throw new Error(`the container is not ready:\n${await docker('logs', '--tail=30', container)}`);
    await delay(500);
  }
}

/** Polls until the demo capture, which is replayed after the server is ready, has landed. */
async function waitForCount(container: string, kind: 'events' | 'detections', expected: number): Promise<number> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const lines = await docker(
      'exec',
      container,
      '/usr/local/bin/node',
      MAIN,
      'query',
      kind,
      '--output=json',
      '--limit=1000',
    );
    const found = lines === '' ? 0 : lines.split('\n').length;
    if (found === expected || Date.now() > deadline) return found;
    await delay(1_000);
  }
}

function seconds(since: number): string {
  return ((Date.now() - since) / 1_000).toFixed(1);
}
