import { expect, test } from 'vitest';
import { RULES } from '#analytics/detections/rule-registry.ts';
import type { DetectionWithEvidence, EventRecord } from '#dashboards/console/src/pages/detection/detection-types.ts';
import { figuresOf, stoppedFor } from '#dashboards/console/src/pages/detection/figures.ts';
import { firstReports } from '#dashboards/console/src/pages/detection/picture/first-reports.ts';
import { PICTURED_RULES, pictureOf } from '#dashboards/console/src/pages/detection/picture/pictures.ts';
import { RULE_NAMES_TEXT } from '#dashboards/console/src/parts/rules/rule-names-text.ts';

const BASE = {
  id: `det_${'a'.repeat(32)}`,
  rule: { id: 'instruction-pointer-probe', version: 2, name: 'Instruction pointer probe' },
  register: 'ip',
  crashes: 12,
  suppressedAtLeast: 0,
  firstSeen: '2026-03-01T00:00:00.000000000Z',
  lastSeen: '2026-03-01T00:02:05.000000000Z',
  valuesTotal: 12,
  hostsTotal: 0,
  evidenceCount: 12,
  risk: null,
};

let made = 0;
function record(seconds: number, event: object, hex: EventRecord['hex'] = {}, hostname = 'h'): EventRecord {
  made += 1;
  const at = `2026-03-01T00:${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}.000000000Z`;
  const place = { topic: 't', partition: 0, offset: made, received: at, time: at };
  return { id: `t~0~${made}`, ...place, hex, event: { version: 'V1', timestamp: at, hostname, event: event as never } };
}
const trap = (at: number, pid: number, ip: string, hostname = 'h') =>
  record(at, { type: 'LinuxKernelTrap', pid, file: 'nginx' }, { ip, vmastart: '0x401000' }, hostname);
const abort = (at: number, pid: number) =>
  record(at, { type: 'LinuxFatalSignal', signal: 'SIGIOT', stack_dump: { PID: String(pid) } }, { ip: '0x7f00' });
const suppressed = (at: number, count: number) =>
  record(at, { type: 'LinuxSuppressedCallback', function_name: 'show_signal_msg', count });
const mismatch = (at: number, key: string) =>
  record(at, { type: 'ConfigMismatch', key, expected_value: '1', observed_value: '0' });

const of = (evidence: readonly EventRecord[], over: object = {}) =>
  ({ ...BASE, evidence, evidenceComplete: true, ...over }) as unknown as DetectionWithEvidence;
function drawn(rule: string, shown: DetectionWithEvidence) {
  const kind = pictureOf(rule);
  if (kind === 'signs') throw new Error(`${rule} shows its signs`);
  return kind.picture(shown, false);
}

test('every translated rule has its own picture, and each picture belongs to a rule', () => {
  expect(Object.keys(RULE_NAMES_TEXT).filter((id) => !PICTURED_RULES.includes(id))).toEqual([]);
  expect(PICTURED_RULES.filter((id) => !RULES.some((rule) => rule.id === id))).toEqual([]);
});

test('shows crashes by place for a rule without a picture, and nothing if the events are gone', () => {
  const model = drawn('user-made-up', of([trap(1, 1, '0x401010'), trap(2, 2, '0x401020'), trap(3, 3, '0x401010')]));
  expect(model?.axis).toMatchObject({ kind: 'lanes', names: ['nginx+0x10', 'nginx+0x20'] });
  expect(model?.marks.map(({ y }) => y)).toEqual([0, 1, 0]);
  for (const id of PICTURED_RULES.filter((rule) => rule !== 'host-risk')) expect(drawn(id, of([]))).toBeUndefined();
});

test('shows a lane for each function of kernel faults', () => {
  const fault = (at: number, facts: object, hex: EventRecord['hex'] = { ip: '0x0' }) =>
    record(at, { type: 'LinuxKernelTrap', pid: at, kernel_fault: facts }, hex);
  const shown = [
    fault(1, { symbol: 'nft_lookup+0x10/0x40' }),
    fault(2, { symbol: 'nft_lookup+0x18/0x40' }),
    fault(3, {}),
    fault(4, {}, { ip: '0x10101000' }),
  ];
  const model = drawn('kernel-fault', of(shown));
  expect(model?.axis).toMatchObject({ kind: 'lanes', names: ['nft_lookup', 'unknown function', '0x10101000'] });
  expect(model?.marks.map(({ y }) => y)).toEqual([0, 0, 1, 2]);
});

test('accumulates canary attempts, including those before the stored events, against the expected number', () => {
  const aborts = Array.from({ length: 30 }, (_, index) => abort(index * 3, 100 + index));
  const model = drawn(
    'stack-canary-probe',
    of([...aborts, aborts[3] as EventRecord], { crashes: 1_030, suppressedAtLeast: 70 }),
  );
  expect(model?.marks.map(({ y }) => y)).toEqual(Array.from({ length: 30 }, (_, index) => 1_001 + index));
  expect(model?.references.map(({ y }) => y)).toEqual([896, 1_792]);
  expect(model?.progress).toMatchObject({ value: 1_100, max: 1_792 });
  expect(model?.summary).toContain('1,100 attempts');
});

test('shows suppressed messages of a burst with the logged crashes between them', () => {
  const model = drawn('suppressed-crash-burst', of([suppressed(9, 5_000), trap(2, 1, '0x401010')]));
  expect(model?.marks.map(({ shape, y }) => [shape, y])).toEqual([
    ['tick', 0],
    ['stem', 5_000],
  ]);
});

test('a campaign has a lane per host in natural order; changed settings have a lane per setting', () => {
  const crashes = Array.from({ length: 24 }, (_, index) => trap(index, index, '0x401010', `web-${index}`));
  const { axis } = drawn('fleet-scan', of(crashes)) ?? {};
  expect(axis).toMatchObject({ kind: 'lanes' });
  const names = axis?.kind === 'lanes' ? axis.names : [];
  expect([names[0], names[2], names.length, names.at(-1)]).toEqual(['web-0', 'web-2', 20, '5 others']);
  const settings = drawn('detector-tampering', of([mismatch(2, 'kernel.b'), mismatch(1, 'kernel.a')]));
  expect(settings?.axis).toMatchObject({ names: ['kernel.a', 'kernel.b'] });
});

test('counts a crash once, whether a dump, a repeated line, another source or another signal follows', () => {
  const dump = (at: number, pid: number, signal: string, hex: EventRecord['hex'] = {}) =>
    record(at, { type: 'LinuxFatalSignal', signal, stack_dump: { PID: String(pid) } }, hex);
  const line = trap(0, 1, '0x1');
  const events = [
    line,
    line,
    dump(1, 1, 'SIGSEGV', { ip: '0x1' }),
    dump(4, 1, 'SIGSEGV', { ip: '0x1' }), // Too late for this crash: another process with the same pid.
    dump(5, 2, 'SIGIOT', { ip: '0x9' }),
    dump(6, 2, 'SIGIOT'), // The same crash, reported by the journal.
    dump(7, 3, 'SIGTERM'),
  ];
  expect(firstReports(events)).toEqual([events[0], events[3], events[4]]);
});

test('shows key figures of crashes, host risk and reports, and whether evidence still arrives', () => {
  const one = { ...BASE, crashes: 1_460, suppressedAtLeast: 89, valuesTotal: 77 };
  expect(figuresOf(one).map(({ value }) => value)).toEqual(['1,460', '≥ 89', '2 min 5 s', '77']);
  expect(figuresOf({ ...one, hostsTotal: 20 }).at(-1)).toEqual({ name: 'Hosts', value: '20' });
  const none = { ...one, crashes: 0, suppressedAtLeast: 0, valuesTotal: 0, evidenceCount: 4 };
  expect(figuresOf({ ...none, risk: { score: 60.63, normalised: 56.85, level: 'Moderate' } })).toEqual([
    { name: 'Risk (0 to 100)', value: '56.85' },
    { name: 'Detections', value: '4', field: 'evidence', number: 4 },
    { name: 'Duration', value: '2 min 5 s', field: 'duration', number: 125 },
  ]);
  expect(figuresOf(none).map(({ name, value }) => `${name}: ${value}`)).toEqual(['Reports: 4', 'Duration: 2 min 5 s']);
  const last = Date.parse(one.lastSeen);
  expect(stoppedFor(one.lastSeen, last + 299_000)).toBeUndefined();
  expect(stoppedFor(one.lastSeen, last + 600_000)).toBe(600);
});
