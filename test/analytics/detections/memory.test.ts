import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { at, trap } from '#analytics/detections/rule-case.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { createTracker } from '#analytics/detections/tracker.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';

const PROGRAMS = 100_000;
const HOSTS = 1000;
const CRASHES = 3;
const LIMIT_MIB = 64;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function heapMiB(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

const MODEL = at(0, trap(0));

/** Creates new strings each time, as the pipeline does, so that a string retained by the tracker costs memory. */
function crash(program: number, n: number): AcceptedEvent {
  const vmastart = 0x5561_0000_0000 + program * 4096;
  const ip = vmastart + 0x179 + n * 256;
  const fields = { procname: `service-${program}`, file: `service-${program}`, vmastart, vmasize: 4096, pid: n };
  const event = { ...MODEL.event, hostname: `edge-${program % HOSTS}.example.net`, event: trap(ip, fields) };
  return { ok: true, event, time: { seconds: 1_770_000_000 + n * 100, nanos: program } };
}

test(`${PROGRAMS} programs with ${CRASHES} crashes each take less than ${LIMIT_MIB} MiB, and their snapshot holds all of them`, () => {
  const before = heapMiB();
  const tracker = createTracker(DEFAULT_DETECTION_SETTINGS);
  for (let n = 0; n < CRASHES; n += 1) for (let i = 0; i < PROGRAMS; i += 1) tracker.feed(crash(i, n));
  expect(heapMiB() - before).toBeLessThan(LIMIT_MIB);
  expect(tracker.stats()).toMatchObject({ hosts: HOSTS, programs: PROGRAMS, evictions: 0 });

  const restored = createTracker(DEFAULT_DETECTION_SETTINGS);
  restored.restore(tracker.snapshot());
  expect(restored.stats()).toEqual(tracker.stats());
});
