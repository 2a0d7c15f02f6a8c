import { describe, expect, it } from 'vitest';
import { FORMATS } from '#analytics/formats/formats.ts';
import type { Detection } from '#schemas/detection.ts';
import { campaign, detection, events, HOSTILE, hostRisk, landed, record, tampering } from './samples.ts';

type Json = { [key: string]: Json } & { [key: string]: unknown };
const event = (r: Parameters<NonNullable<typeof FORMATS.ocsf.event>>[0]): Json =>
  JSON.parse(FORMATS.ocsf.event?.(r) ?? 'null');
const found = (d: Detection): Json => JSON.parse(FORMATS.ocsf.detection?.(d) ?? 'null');

/** OCSF has no null: an attribute has a value or is absent. Only `unmapped` and `data` may have any content. */
function nulls(value: unknown, path = '$'): string[] {
  if (value === null) return [path];
  if (typeof value !== 'object') return [];
  return Object.entries(value)
    .filter(([name]) => name !== 'unmapped' && name !== 'data')
    .flatMap(([name, member]) => nulls(member, `${path}.${name}`));
}

describe('OCSF Detection Finding', () => {
  it('carries class, times, finding, attacks and evidence', () => {
    expect(found(detection)).toMatchObject({
      category_uid: 2,
      class_uid: 2004,
      activity_id: 2,
      type_uid: 200402,
      severity_id: 4,
      status_id: 1,
      time: Date.parse('2026-01-31T12:00:04.500Z'),
      duration: 4500,
      is_alert: true,
      metadata: { version: '1.8.0', product: { name: 'Trapline' }, correlation_uid: detection.id },
      finding_info: {
        uid: detection.id,
        analytic: { uid: 'instruction-pointer-probe', version: '1' },
        attacks: [
          { tactic: { uid: 'TA0002', name: 'Execution' }, technique: { uid: 'T1203' } },
          { technique: { uid: 'T1562' }, sub_technique: { uid: 'T1562.006', name: 'Indicator Blocking' } },
        ],
      },
      device: { hostname: 'web-1', type_id: 0 },
      evidences: [{ file: { name: 'edge-gw', type_id: 0 }, data: { values: ['0x401100', '0x401102'] } }],
      unmapped: { procname: 'edge-gw', crashes: 10, suppressed_at_least: 190 },
    });
  });

  it.each([
    [{ revision: 1 }, { activity_id: 1, type_uid: 200401 }],
    [{ revision: 2 }, { activity_id: 2, type_uid: 200402 }],
    [{ status: 'closed' }, { activity_id: 3, type_uid: 200403, status_id: 4 }],
    [{ status: 'acknowledged' }, { status_id: 2 }],
    [{ exception: 'exc_1' }, { status_id: 3, status: 'Suppressed' }],
    [{ verdict: 'false_positive' }, { verdict_id: 1, metadata: { profiles: ['incident'] } }],
    [{ verdict: 'benign' }, { verdict_id: 5 }],
    [{ assignee: 'ann' }, { assignee: { name: 'ann' }, metadata: { profiles: ['incident'] } }],
    [{ note: 'seen' }, { comment: 'seen' }],
    [{ severity: 'critical' }, { severity_id: 5 }],
    [{ severity: 'info' }, { severity_id: 1 }],
  ] satisfies [Partial<Detection>, object][])('maps %j', (change, expected) => {
    expect(found({ ...detection, ...change })).toMatchObject(expected);
  });

  it('carries the risk of a host and the hosts of a campaign', () => {
    expect(found(hostRisk)).toMatchObject({ risk_score: 59, risk_level_id: 2, risk_level: 'Medium' });
    expect(found({ ...hostRisk, risk: { score: 200, normalised: 93.75, level: 'Critical' } })).toMatchObject({
      risk_score: 200,
      risk_level_id: 4,
      risk_level: 'Critical',
    });
    expect(found(detection)).not.toHaveProperty('risk_score');
    expect(found(campaign)).toMatchObject({
      observables: [{ type_id: 1, value: 'web-1' }, { value: 'web-2' }],
      unmapped: { hosts: ['web-1', 'web-2'], hosts_total: 2 },
    });
    for (const one of [hostRisk, campaign]) expect(nulls(found(one))).toEqual([]);
  });

  it('has no nulls and no empty objects for unknown values', () => {
    expect(nulls(found(tampering))).toEqual([]);
    for (const key of ['device', 'observables', 'raw_data']) expect(found(tampering)).not.toHaveProperty(key);
  });
});

describe('OCSF of events', () => {
  it.each([
    ['kernelTrap', 1007, 2],
    ['fatalSignal', 1007, 2],
    ['suppressed', 0, 99],
    ['configMismatch', 5019, 1],
    ['registerProbe', 0, 99],
  ] as const)('%s is of class %i', (name, class_uid, activity_id) => {
    const one = event(record(events[name]));
    expect(one).toMatchObject({
      class_uid,
      activity_id,
      type_uid: class_uid * 100 + activity_id,
      time: 157_680_000_123,
    });
    expect(nulls(one)).toEqual([]);
  });

  it('is a Base Event if fields that the class requires are missing', () => {
    expect(event(record(events.kernelTrap, { hostname: null }))).toMatchObject({ class_uid: 0 });
    expect(event(record({ ...events.kernelTrap, pid: 2 ** 31 }))).toMatchObject({
      class_uid: 0,
      unmapped: { pid: 2 ** 31 },
    });
    expect(event(record({ ...events.fatalSignal, stack_dump: {} }))).toMatchObject({ class_uid: 0 });
    expect(event(record(events.configMismatch, { hostname: null }))).toMatchObject({ class_uid: 0 });
  });

  it('keeps addresses and the original text', () => {
    expect(event(landed)).toMatchObject({
      raw_data: landed.raw,
      metadata: { uid: 'events.v1~3~42', logged_time: 1_700_000_000_000 },
      unmapped: { ip: '0xfffffffffffffffe', location: '0xffffffffffffffff', vmasize: 4096 },
    });
  });

  it('is one line for any names', () => {
    for (const name of HOSTILE) {
      expect(FORMATS.ocsf.detection?.({ ...detection, procname: name, hostname: name })).not.toMatch(/[\r\n\0]/);
    }
  });
});
