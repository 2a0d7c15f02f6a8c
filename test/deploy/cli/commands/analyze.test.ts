import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { detectEventsFromText } from '#ingest/detector/detect-events.ts';
import type { Detection } from '#schemas/detection.ts';
import { readEvent } from '#schemas/events/read-event.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { readCsv } from '#test/analytics/formats/csv-reader.ts';
import { runCommand } from '../run-command.ts';

const CAPTURES = join(import.meta.dirname, '../../../fixtures/kmsg');
const capture = (name: string): string => join(CAPTURES, `${name}.kmsg`);
const lines = (stdout: string): string[] => stdout.split('\n').slice(0, -1);
const detections = async (...args: string[]): Promise<Detection[]> =>
  lines((await runCommand(['analyze', '--output', 'json', ...args])).stdout).map((line) => JSON.parse(line));

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'trapline-analyze-'));
});
afterAll(() => rm(dir, { recursive: true }));

/** Returns a capture as the V1 lines that the detector emits. */
async function asV1(name: string): Promise<string> {
  const text = await readFile(capture(name), 'utf8');
  return detectEventsFromText(text, { hostname: null })
    .map((event) => `${stringifyExact(event)}\n`)
    .join('');
}

describe('trapline analyze', () => {
  it.each([
    ['probe-ip-default-sysctl', 'LinuxKernelTrap'],
    ['probe-stack-canary', 'LinuxFatalSignal'],
  ])('adds whole events as evidence of %s if the rules file requires it', async (name, type) => {
    const rules = join(dir, 'full.json');
    await writeFile(rules, JSON.stringify({ justification: 'full' }));
    const environment = { TRAPLINE_RULES_FILE: rules };
    for (const output of ['json', 'csv', 'cef', 'ecs', 'ocsf', 'table']) {
      const args = ['analyze', '--output', output, capture(name)];
      expect(await runCommand(args, { environment })).toMatchObject({ code: 0 });
    }
    const { stdout } = await runCommand(['analyze', '--output', 'v1', capture(name)], { environment });
    const event = readEvent(lines(stdout)[0] ?? '');
    expect(event).toMatchObject({ ok: true, event: { event: { type: 'RegisterProbe' } } });
    const { FullEvents } = JSON.parse(stdout).event.justification;
    expect(FullEvents.length).toBeGreaterThan(2);
    expect(FullEvents.length).toBeLessThanOrEqual(16);
    expect(FullEvents.map((one: { event: { type: string } }) => one.event.type)).toContain(type);
  });

  it.each([
    ['probe-ip-step2', [['instruction-pointer-probe', 'edge-gw', 'ip']]],
    ['probe-plt-step16', [['instruction-pointer-probe', 'edge-gw', 'ip']]],
    ['probe-ip-default-sysctl', [['instruction-pointer-probe', 'edge-gw', 'ip']]],
    ['probe-stack-canary', [['stack-canary-probe', 'edge-gw-ssp', 'canary']]],
    ['benign-crash-loop', []],
    ['assorted-faults', []],
  ])('finds the expected detections in %s', async (name, expected) => {
    const found = await detections(capture(name));
    expect(found.map(({ rule, procname, register }) => [rule.id, procname, register])).toEqual(expected);
  });

  it('finds the same in a kernel log and in its V1 events, with and without --input', async () => {
    const expected = await runCommand(['analyze', '--output', 'json', capture('probe-plt-step16')]);
    const stdin = await asV1('probe-plt-step16');
    for (const options of [[], ['--input', 'v1']]) {
      const run = await runCommand(['analyze', '--output', 'json', ...options, '-'], { stdin });
      expect(run).toMatchObject({ code: 0, stdout: expected.stdout });
    }
    const kmsg = await readFile(capture('probe-plt-step16'));
    const named = await runCommand(['analyze', '--output', 'json', '--input', 'kmsg', '-'], { stdin: kmsg });
    expect(named.stdout).toBe(expected.stdout);
  });

  it('reads several files of both kinds as one log', async () => {
    const half = join(dir, 'half.ndjson');
    const events = (await asV1('probe-stack-canary')).split('\n');
    await writeFile(half, events.slice(0, 100).join('\n'));
    const rest = join(dir, 'rest.ndjson');
    await writeFile(rest, `\n${events.slice(100).join('\n')}`);
    const [whole] = await detections(capture('probe-stack-canary'));
    expect(await detections(half, rest)).toEqual([whole]);
    expect(await detections(capture('probe-plt-step16'), half, rest)).toMatchObject([
      { procname: 'edge-gw' },
      { id: whole?.id },
    ]);
  });

  it('sets the host name and the clock of a kernel log', async () => {
    const [found] = await detections(
      '--hostname',
      'web-1',
      '--boot-time',
      '2026-03-01T01:00:00+01:00',
      capture('probe-plt-step16'),
    );
    expect(found).toMatchObject({ hostname: 'web-1', firstSeen: expect.stringMatching(/^2026-03-01T00:38:1/) });
    const { stderr } = await runCommand(['analyze', capture('probe-plt-step16')]);
    expect(stderr).toContain('set the boot time with --boot-time');
  });

  it('prints RegisterProbe events as V1 that its own parser accepts', async () => {
    const { stdout } = await runCommand([
      'analyze',
      '--output',
      'v1',
      capture('probe-ip-step2'),
      capture('probe-stack-canary'),
    ]);
    const events = lines(stdout).map((line) => readEvent(line));
    expect(events).toMatchObject([
      { ok: true, event: { event: { type: 'RegisterProbe', register: 'ip', procname: 'edge-gw' } } },
      { ok: true, event: { event: { type: 'RegisterProbe', register: 'canary', procname: 'edge-gw-ssp' } } },
    ]);
  });

  it.each([
    ['cef', /^CEF:0\|Trapline\|Trapline\|1\.0\|RegisterProbe\|.* cs2=stack-canary-probe /],
    ['ecs', /"kind":"alert".*"rule":\{"id":"stack-canary-probe"/],
    ['ocsf', /"class_uid":2004,.*"uid":"stack-canary-probe"/],
    ['ndjson', /"rule":\{"id":"stack-canary-probe"/],
  ])('prints %s with one line per detection', async (output, expected) => {
    const { stdout, code } = await runCommand(['analyze', '--output', output, capture('probe-stack-canary')]);
    expect(lines(stdout)).toEqual([expect.stringMatching(expected)]);
    expect(code).toBe(0);
  });

  it('prints CSV and a table', async () => {
    const { stdout } = await runCommand(['analyze', '--output', 'csv', capture('probe-stack-canary')]);
    expect(readCsv(stdout)).toHaveLength(2);
    const table = await runCommand(['analyze', capture('probe-stack-canary')], { columns: 80 });
    expect(lines(table.stdout)).toEqual([
      expect.stringMatching(/^SEVERITY +RULE +HOST +PROGRAM/),
      expect.stringMatching(/^(high|critical) +stack-canary-probe +- +edge-gw-ssp/),
    ]);
  });

  it('reports lines without an event, continues, and exits with 1', async () => {
    const bad = ['{"version":"V1"}', 'x', '{"version":"V7"}', '[]', '1', '"', '{'].join('\n');
    const stdin = `\n${await asV1('probe-plt-step16')}\n${bad}\n`;
    const { code, stdout, stderr } = await runCommand(['analyze', '--output', 'json', '-'], { stdin });
    expect(lines(stdout)).toHaveLength(1);
    expect(stderr).toContain(`-:63: field_missing at $.timestamp`);
    expect(stderr.match(/^trapline: -:/gm)).toHaveLength(5);
    expect(stderr).toContain('7 lines without a valid event ignored');
    expect(code).toBe(1);
  });

  it('prints nothing for an empty input', async () => {
    expect(await runCommand(['analyze', '--output', 'json', '-'])).toMatchObject({ code: 0, stdout: '' });
  });

  it('uses the thresholds and exceptions of the operator', async () => {
    const rules = join(dir, 'rules.json');
    await writeFile(rules, JSON.stringify({ rules: { 'stack-canary-probe': { enabled: false } } }));
    const args = ['analyze', '--output', 'json', capture('probe-stack-canary')];
    expect(await runCommand(args, { environment: { TRAPLINE_RULES_FILE: rules } })).toMatchObject({
      code: 0,
      stdout: '',
    });
    await writeFile(
      rules,
      JSON.stringify({ rules: { 'stack-canary-probe': { window: -1 } }, limits: { maxPoints: 0 } }),
    );
    const refused = await runCommand(args, { environment: { TRAPLINE_RULES_FILE: rules } });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/stack-canary-probe\S*window/);
    expect(refused.stderr).toMatch(/limits\.maxPoints/);
  });

  it.each([
    [['analyze']],
    [['analyze', '/nonexistent/file']],
    [['analyze', '--input', 'pcap', '-']],
    [['analyze', '--output', 'xml', '-']],
    [['analyze', '--boot-time', 'yesterday', '-']],
  ])('exits with 2 for wrong usage: %j', async (args) => {
    const { code, stdout, stderr } = await runCommand(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).not.toBe('');
  });
});
