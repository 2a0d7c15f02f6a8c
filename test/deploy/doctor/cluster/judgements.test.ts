import { describe, expect, it } from 'vitest';
import type { ReportedProcess } from '#api/telemetry/processes/process-reports.ts';
import { judgeCertificates } from '#deploy/doctor/cluster/judge-certificates.ts';
import { judgeLag } from '#deploy/doctor/cluster/judge-lag.ts';
import {
  judgeClocks,
  judgeDisks,
  judgeProcesses,
  judgeSecrets,
  judgeVersions,
} from '#deploy/doctor/cluster/judge-processes.ts';

const api: ReportedProcess = {
  role: 'api',
  name: 'one',
  version: '1.0.0',
  clockSkewMs: 0,
  secrets: { AUTH_SECRET: 'current', JWT_SECRET: 'current' },
  freeDiskShare: 0.5,
  silentSeconds: 20,
};
const ingest: ReportedProcess = { ...api, role: 'ingest', name: 'two', secrets: {}, freeDiskShare: null };
const gone: ReportedProcess = {
  ...api,
  name: 'old',
  version: '0.9.0',
  clockSkewMs: 60_000,
  secrets: { AUTH_SECRET: 'different' },
  freeDiskShare: 0,
  silentSeconds: 600,
};

describe('processes', () => {
  it('are counted by role', () => {
    expect(judgeProcesses([api, ingest, { ...api, name: 'three' }])).toEqual({
      state: 'fine',
      found: '2 api, 1 ingest',
    });
  });

  it('are reported as silent and not checked further', () => {
    expect(judgeProcesses([api, gone])).toMatchObject({
      state: 'look',
      found: '1 api; silent: api old for 10 minutes',
    });
    const all = [api, ingest, gone];
    for (const finding of [judgeVersions(all, '1.0.0'), judgeClocks(all), judgeSecrets(all), judgeDisks(all)])
      expect(finding.state).toBe('fine');
  });

  it('are reported as missing', () => {
    expect(judgeProcesses([])).toMatchObject({ state: 'look', found: 'none reports' });
  });

  it('are reported with another version', () => {
    expect(judgeVersions([api, { ...ingest, version: '1.1.0' }], '1.0.0')).toMatchObject({
      state: 'look',
      found: '1.0.0, 1.1.0: this command has 1.0.0, ingest two has 1.1.0',
    });
  });

  it('are reported if their clocks differ', () => {
    expect(judgeClocks([{ ...api, clockSkewMs: 400 }, ingest])).toEqual({
      state: 'fine',
      found: '0.4 s apart at most',
    });
    expect(judgeClocks([{ ...api, clockSkewMs: -2_500 }, ingest])).toMatchObject({
      state: 'look',
      found: '2.5 s apart at most: api one by -2.5 s from PostgreSQL',
    });
    // Each clock is close to that of PostgreSQL, but they are far apart from each other.
    expect(
      judgeClocks([
        { ...api, clockSkewMs: -1_500 },
        { ...ingest, clockSkewMs: 1_500 },
      ]),
    ).toMatchObject({
      state: 'look',
      found: '3.0 s apart at most',
    });
  });

  it('are reported with another secret', () => {
    expect(judgeSecrets([{ ...api, secrets: { AUTH_SECRET: 'current', JWT_SECRET: 'different' } }])).toMatchObject({
      state: 'wrong',
      found: 'differ: JWT_SECRET of api one',
    });
    expect(judgeSecrets([{ ...api, secrets: { AUTH_SECRET: 'older' } }])).toMatchObject({ state: 'look' });
    expect(judgeSecrets([api, ingest])).toEqual({ state: 'fine', found: 'the same in all of 1' });
  });

  it('are reported if their disks are nearly full', () => {
    expect(judgeDisks([api, { ...api, name: 'three', freeDiskShare: 0.05 }])).toMatchObject({
      state: 'look',
      found: 'api one 50 % free, api three 5 % free',
    });
  });
});

describe('lag by partition', () => {
  it('reports the partition with the largest lag', () => {
    const partitions = [
      { partition: 0, low: 0, high: 100, committed: 100 },
      { partition: 1, low: 50, high: 200, committed: 20 },
    ];
    expect(judgeLag(partitions)).toEqual({
      state: 'fine',
      found: '150 records in 2 partitions, at most 150 in partition 1',
    });
    expect(judgeLag([{ partition: 0, low: 0, high: 5_000_000, committed: 1 }]).state).toBe('look');
  });

  it('reports a partition that no process has read', () => {
    expect(judgeLag([{ partition: 3, low: 0, high: 4, committed: undefined }])).toMatchObject({
      state: 'look',
      found: expect.stringContaining('never read: 3'),
    });
    expect(judgeLag([{ partition: 3, low: 4, high: 4, committed: undefined }]).state).toBe('fine');
  });
});

describe('certificates', () => {
  const now = new Date('2026-03-01T00:00:00Z');
  const until = (name: string, day: string, from = '2026-01-01') => ({
    name,
    validFrom: new Date(`${from}T00:00:00Z`),
    validTo: new Date(`${day}T00:00:00Z`),
  });

  it('reports the certificate that expires first', () => {
    expect(judgeCertificates([until('a', '2026-09-01'), until('b', '2026-04-10')], [], now)).toEqual({
      state: 'fine',
      found: '2 valid; b ends first, in 40 days',
    });
    expect(judgeCertificates([], [], now)).toEqual({ state: 'fine', found: 'no connection uses TLS' });
  });

  it('reports certificates that expire soon, have expired or are not valid yet', () => {
    expect(judgeCertificates([until('a', '2026-03-11')], [], now)).toMatchObject({
      state: 'look',
      found: 'a ends in 10 days',
    });
    expect(judgeCertificates([until('a', '2026-02-28')], [], now)).toMatchObject({
      state: 'wrong',
      found: 'a ended on 2026-02-28',
    });
    expect(judgeCertificates([until('a', '2027-01-01', '2026-03-02')], [], now)).toMatchObject({
      state: 'wrong',
      found: 'a begins on 2026-03-02',
    });
  });

  it('reports certificates that cannot be read', () => {
    expect(judgeCertificates([until('a', '2027-01-01')], ['b: connect ECONNREFUSED'], now)).toMatchObject({
      state: 'look',
      found: 'cannot be read: b: connect ECONNREFUSED',
    });
  });
});
