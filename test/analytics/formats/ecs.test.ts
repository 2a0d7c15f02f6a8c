import { describe, expect, it } from 'vitest';
import { FORMATS } from '#analytics/formats/formats.ts';
import { campaign, detection, events, HOSTILE, hostRisk, landed, record, tampering } from './samples.ts';

type Json = { [key: string]: Json } & { [key: string]: unknown };
const event = (r: Parameters<NonNullable<typeof FORMATS.ecs.event>>[0]): Json =>
  JSON.parse(FORMATS.ecs.event?.(r) ?? 'null');
const found = (d: typeof detection): Json => JSON.parse(FORMATS.ecs.detection?.(d) ?? 'null');

/** The event types that ECS allows for each category used here. */
const EXPECTED_TYPES: Record<string, string[]> = {
  process: ['access', 'change', 'end', 'info', 'start'],
  host: ['access', 'change', 'end', 'info', 'start'],
  configuration: ['access', 'change', 'creation', 'deletion', 'info'],
  intrusion_detection: ['allowed', 'denied', 'info'],
};
const TOP_LEVEL = [
  '@timestamp',
  'container',
  'ecs',
  'event',
  'file',
  'host',
  'log',
  'message',
  'observer',
  'orchestrator',
  'process',
  'related',
  'rule',
  'threat',
  'trapline',
  'user',
];

describe('ECS of events', () => {
  it.each(Object.entries(events))('%s has only ECS fields, outside of trapline, and allowed categories', (_name, e) => {
    const document = event(record(e));
    for (const key of Object.keys(document)) expect(TOP_LEVEL).toContain(key);
    expect(document).toMatchObject({ '@timestamp': '1974-12-31T00:00:00.123456789Z', ecs: { version: '9.4.0' } });
    const { category, type } = document.event as unknown as { category: [string]; type: string[] };
    for (const t of type) expect(EXPECTED_TYPES[category[0]]).toContain(t);
  });

  it('keeps addresses exact as keywords and the original text', () => {
    expect(event(landed)).toMatchObject({
      event: { id: 'events.v1~3~42', ingested: '2023-11-14T22:13:20.000Z', original: landed.raw, kind: 'event' },
      host: { name: 'web-1', hostname: 'web-1' },
      process: { name: 'a.out', pid: 36275 },
      file: { name: 'a.out' },
      log: { level: 'info', syslog: { severity: { code: 6, name: 'Info' }, facility: { code: 0, name: 'Kern' } } },
      trapline: {
        address: { ip: '0xfffffffffffffffe', sp: '0x7ffd5833d0c0' },
        trap: { type: 'Segfault', location: '0xffffffffffffffff' },
        mapping: { start: '0x561bc8d8f000', size: 4096 },
        errcode: { reason: 'NoPageFound', instruction_fetch: false },
      },
    });
  });

  it('writes numbers that a long cannot hold as text under another name, so that a field keeps one type', () => {
    const document = event(record({ ...events.kernelTrap, pid: 2n ** 64n - 1n }));
    expect(document.process).toEqual({ name: 'a.out' });
    expect(document).toMatchObject({ trapline: { exact: { pid: '18446744073709551615' } } });
    const suppressed = event(record({ ...events.suppressed, count: 2n ** 63n }));
    expect(suppressed).toMatchObject({ trapline: { exact: { count: '9223372036854775808' } } });
    expect(suppressed.trapline?.suppressed).not.toHaveProperty('count');
    const probe = event(record({ ...events.registerProbe, justification: { EventCount: 2n ** 64n - 1n } }));
    expect(probe).toMatchObject({ trapline: { exact: { justifying_events: '18446744073709551615' } } });
    expect(probe.trapline).not.toHaveProperty('justifying_events');
  });

  it('lists a stack dump instead of creating a field of every name in it', () => {
    expect(event(record(events.fatalSignal))).toMatchObject({
      process: { name: 'edge-gw', pid: 4711 },
      trapline: { signal: 'SIGIOT', stack_dump: expect.arrayContaining(['RIP=0033:0x7fd70f4f1eec']) },
    });
  });

  it('is one line for any names', () => {
    for (const name of HOSTILE) {
      const line = FORMATS.ecs.event?.(record({ ...events.kernelTrap, procname: name })) ?? '';
      expect(line).not.toMatch(/[\r\n\0]/);
      expect(JSON.parse(line).process.name).toBe(name);
    }
  });
});

describe('ECS of detections', () => {
  it('is an alert with rule, threat and host', () => {
    expect(found(detection)).toMatchObject({
      '@timestamp': detection.lastSeen,
      event: {
        kind: 'alert',
        category: ['intrusion_detection'],
        id: detection.id,
        severity: 73,
        start: detection.firstSeen,
      },
      rule: { id: 'instruction-pointer-probe', version: '1' },
      threat: {
        framework: 'MITRE ATT&CK',
        tactic: { id: ['TA0002', 'TA0005'], name: ['Execution', 'Defense Evasion'] },
        technique: {
          id: ['T1203', 'T1562'],
          name: ['Exploitation for Client Execution'],
          subtechnique: { id: ['T1562.006'], name: ['Indicator Blocking'] },
        },
      },
      process: { name: 'edge-gw' },
      related: { hosts: ['web-1'] },
      trapline: { detection: { revision: 3, crashes: 10, suppressed_at_least: 190, values: ['0x401100', '0x401102'] } },
    });
  });

  it('carries the risk of a host as calculated, and the hosts of a campaign', () => {
    expect(found(hostRisk).host).toEqual({
      name: 'web-1',
      hostname: 'web-1',
      risk: { calculated_score: 59.41, calculated_score_norm: 56.12, calculated_level: 'Moderate' },
    });
    expect(found(campaign)).toMatchObject({
      related: { hosts: ['web-1', 'web-2'] },
      trapline: { detection: { hosts_total: 2 } },
    });
    expect(found(campaign)).not.toHaveProperty('host');
    expect(found(detection).host).not.toHaveProperty('risk');
  });

  it('omits unknown values', () => {
    const document = found(tampering);
    for (const key of ['host', 'process', 'file', 'threat', 'related']) expect(document).not.toHaveProperty(key);
  });
});
