import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressGroup } from '#api/http/limits/address-group.ts';
import { SECURITY_EVENTS, type SecurityEvent, type SecurityEventKind } from '#api/http/security-events.ts';
import { ABUSE_THRESHOLDS } from '#api/telemetry/siem/abuse-thresholds.ts';
import { createSecurityDetectors } from '#api/telemetry/siem/security-detectors.ts';

const KINDS = Object.keys(SECURITY_EVENTS) as SecurityEventKind[];
const sign = (kind: SecurityEventKind, ip = '203.0.113.9', more: Partial<SecurityEvent> = {}): SecurityEvent => ({
  kind,
  origin: { ip, userAgent: 'curl/8', requestId: 'request-1' },
  ...more,
});
const detectors = (maxTracked = 10_000) => createSecurityDetectors({ addressGroup, maxTracked });

test.each(KINDS)('reports %s at its threshold, not before', (kind) => {
  const watching = detectors();
  const { signs } = ABUSE_THRESHOLDS[kind];
  for (let i = 1; i < signs; i++) expect(watching.notice(sign(kind), 1_000)).toEqual([]);
  expect(watching.notice(sign(kind), 1_000)).toMatchObject([{ kind, count: signs }]);
});

test('signals that are too slow are no incident', () => {
  const watching = detectors();
  const { signs, windowMs } = ABUSE_THRESHOLDS['key-guessing'];
  for (let i = 0; i < signs * 3; i++) {
    expect(watching.notice(sign('key-guessing'), (i * windowMs * 2) / signs)).toEqual([]);
  }
});

test('a flood is one incident, reported at its start and with its full count at its end', () => {
  const watching = detectors();
  const reported = [];
  for (let i = 0; i < 10_000; i++) reported.push(...watching.notice(sign('limit-breach'), i), ...watching.settle(i));
  expect(reported).toMatchObject([{ count: 1 }]);
  expect(watching.settle(60_000)).toEqual([]);
  const [end, ...more] = watching.settle(70_000);
  expect(end).toMatchObject({ id: reported[0]?.id, count: 10_000, firstAt: new Date(0), lastAt: new Date(9_999) });
  expect(more).toEqual([]);
  expect(watching.open()).toBe(0);
  expect(watching.settle(1e9)).toEqual([]);
});

test('reports a single signal once', () => {
  const watching = detectors();
  expect(watching.notice(sign('path-traversal'), 0)).toHaveLength(1);
  expect(watching.settle(1e9)).toEqual([]);
});

test('reports a long incident again at intervals', () => {
  const watching = detectors();
  const reported = [];
  for (let second = 0; second < 1_500; second++) {
    reported.push(...watching.notice(sign('limit-breach'), second * 1_000), ...watching.settle(second * 1_000));
  }
  expect(reported.map(({ count }) => count)).toEqual([1, 601, 1_201]);
});

describe('failed sign-ins', () => {
  test('many on one account are password guessing', () => {
    const watching = detectors();
    const reported = [];
    for (let i = 0; i < 20; i++) {
      reported.push(...watching.notice(sign('password-guessing', undefined, { target: 'ada@example.org' }), i));
    }
    expect(reported).toMatchObject([{ kind: 'password-guessing', targets: 1 }]);
  });

  test('across many accounts are only credential stuffing', () => {
    const watching = detectors();
    const reported = [];
    for (let i = 0; i < 20; i++) {
      reported.push(...watching.notice(sign('password-guessing', undefined, { target: `user-${i}@example.org` }), i));
    }
    expect(reported).toMatchObject([{ kind: 'credential-stuffing', count: 5, targets: 5 }]);
    expect(watching.settle(1e9)).toMatchObject([{ kind: 'credential-stuffing', count: 20, targets: 20 }]);
  });

  test('do not report the target', () => {
    const watching = detectors();
    const reported = [];
    for (let i = 0; i < 5; i++) {
      reported.push(...watching.notice(sign('password-guessing', undefined, { target: `user-${i}@example.org` }), i));
    }
    expect(JSON.stringify(reported)).not.toContain('example.org');
  });
});

test('evaluates addresses individually, and those of one IPv6 network together', () => {
  const watching = detectors();
  const reported = [];
  for (let i = 0; i < 10; i++) reported.push(...watching.notice(sign('key-guessing', `203.0.113.${i}`), 0));
  expect(reported).toEqual([]);
  for (let i = 0; i < 10; i++) reported.push(...watching.notice(sign('key-guessing', `2001:db8:0:7::${i}`), 0));
  expect(reported).toHaveLength(1);
});

test('a hundred thousand addresses stay within the memory limit, and evicted ones are reported first', () => {
  const watching = detectors(100);
  let reported = 0;
  for (let i = 0; i < 100_000; i++) {
    const ip = `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`;
    reported += watching.notice(sign('limit-breach', ip), i / 100).length;
    reported += watching.notice(sign('limit-breach', ip), i / 100).length;
  }
  expect(watching.open()).toBe(100);
  expect(reported).toBe(100_000 + 99_900);
});

test('counts every signal of an incident once, for any input', () => {
  const event = fc.record({
    kind: fc.constantFrom(...KINDS.filter((kind) => kind !== 'password-guessing' && kind !== 'credential-stuffing')),
    host: fc.nat(3),
    step: fc.nat(400),
  });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 200 }), (events) => {
      const watching = createSecurityDetectors({
        addressGroup,
        thresholds: Object.fromEntries(KINDS.map((kind) => [kind, { signs: 1, windowMs: 1 }])) as never,
      });
      const counts = new Map<string, number>();
      let now = 0;
      for (const { kind, host, step } of events) {
        now += step;
        for (const { id, count } of watching.settle(now)) counts.set(id, count);
        for (const { id, count } of watching.notice(sign(kind, `10.0.0.${host}`), now)) counts.set(id, count);
      }
      for (const { id, count } of watching.settle(now + 1e9)) counts.set(id, count);
      expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(events.length);
    }),
    { numRuns: 50 },
  );
});
