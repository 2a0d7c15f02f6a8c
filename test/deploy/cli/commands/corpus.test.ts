import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Verdict } from '#deploy/cli/corpus/judge.ts';
import { detectEventsFromText } from '#ingest/detector/detect-events.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { runCommand } from '../run-command.ts';

const FIXTURES = join(import.meta.dirname, '../../../fixtures');
const PROBE = join(FIXTURES, 'kmsg/probe-plt-step16.kmsg');
const FOUND = { any: ['instruction-pointer-probe'], procname: 'edge-gw' };

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'trapline-corpus-'));
});
afterAll(() => rm(dir, { recursive: true }));

/** Creates a corpus with these expected results and capture files. Resolves to its folder. */
async function corpus(truths: unknown, files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const folder = await mkdtemp(join(dir, 'c'));
  await writeFile(join(folder, 'expect.json'), JSON.stringify(truths));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}

describe('trapline corpus run', () => {
  it('evaluates our captures of both rounds correctly', async () => {
    const { code, stdout, stderr } = await runCommand([
      'corpus',
      'run',
      '--output',
      'json',
      join(FIXTURES, 'kmsg'),
      join(FIXTURES, 'kmsg-varied'),
    ]);
    const { captures, score } = JSON.parse(stdout);
    expect(Object.keys(captures)).toHaveLength(28);
    expect(score).toMatchObject({ attacks: 19, found: 19, benign: 9, falselyAlarmed: 0, precision: 1, recall: 1 });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  // Known gaps: attacks that no rule detects, and false alarms. A change that closes a gap removes it from this list.
  it.each([
    ['of the lab', 'kmsg-lab', 36, ['plt-scan-one-target'], ['b-one-damaged-program']],
    [
      'that were made before the rules were read',
      'kmsg-unseen',
      17,
      ['reads-at-guesses', 'frame-pointer-bytes'],
      ['b-damaged-binary'],
    ],
  ])('evaluates the captures %s correctly, except for known gaps', async (_name, folder, count, gaps, alarms) => {
    const run = await runCommand(['corpus', 'run', '--output', 'json', join(FIXTURES, folder)]);
    const captures = Object.entries<Verdict>(JSON.parse(run.stdout).captures);
    expect(captures).toHaveLength(count);
    const missed = captures.filter(([, { kind, found }]) => kind === 'attack' && !found).map(([name]) => name);
    const alarmed = captures.filter(([, { falseAlarms }]) => falseAlarms.length > 0).map(([name]) => name);
    expect(missed).toEqual(gaps);
    expect(alarmed).toEqual(alarms);
  });

  it('reads the same capture as kernel log, gzip, dmesg and V1 events', async () => {
    const kmsg = await readFile(PROBE, 'utf8');
    const dmesg = kmsg.replace(/^\d+,\d+,(\d+)(\d{6}),-;/gm, '[$1.$2] ');
    const v1 = detectEventsFromText(kmsg, { hostname: null }).map((event) => `${stringifyExact(event)}\n`);
    const folder = await corpus(
      { plain: FOUND, packed: FOUND, dmesg: FOUND, v1: { ...FOUND, file: 'events.ndjson.gz' } },
      {
        'plain.kmsg': kmsg,
        'packed.kmsg.gz': gzipSync(kmsg),
        'dmesg.log': dmesg,
        'events.ndjson.gz': gzipSync(v1.join('')),
        'README.md': 'not a capture',
        'stray.log': '',
      },
    );
    const { code, stdout, stderr } = await runCommand(['corpus', 'run', '--output', 'json', folder]);
    const { captures } = JSON.parse(stdout);
    expect(Object.keys(captures)).toEqual(['plain', 'packed', 'dmesg', 'v1']);
    for (const capture of Object.values(captures)) expect(capture).toEqual(captures.plain);
    expect({ code, stderr }).toEqual({ code: 0, stderr: `trapline: ${folder}: no entry for stray.log\n` });
  });

  it('exits with 1 for a missed attack and for a false alarm, and names both', async () => {
    const folder = await corpus({ missed: { ...FOUND, any: ['unmapped-jump'] }, alarm: { any: [] } }, {});
    await copyFile(PROBE, join(folder, 'missed.kmsg'));
    await copyFile(PROBE, join(folder, 'alarm.kmsg'));
    const { code, stdout } = await runCommand(['corpus', 'run', folder]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^missed +attack +MISSED +1 +- +- +instruction-pointer-probe \(high\)$/m);
    expect(stdout).toMatch(/^alarm +benign +FALSE ALARM +1 /m);
    expect(stdout).toContain('recall 0.0 % (0 of 1 attacks), precision 0.0 % (1 of 2 captures with a false alarm)');
  });

  it('reports the time and the crashes until the first alert', async () => {
    const folder = await corpus({ probe: FOUND }, {});
    await copyFile(PROBE, join(folder, 'probe.kmsg'));
    const { stdout } = await runCommand(['corpus', 'run', '--output', 'json', folder]);
    const { first } = JSON.parse(stdout).captures.probe;
    // The capture holds 40 probes at intervals of 150 ms.
    expect(first.crashes).toBeGreaterThanOrEqual(3);
    expect(first.crashes).toBeLessThanOrEqual(40);
    expect(first.seconds).toBeGreaterThan(0);
    expect(first.seconds).toBeLessThan(40 * 0.25);
  });

  it('finds a scan across hosts, with the crash that completes it', async () => {
    const crash = (i: number, offset: number): string =>
      `2026-03-01T10:00:${String(10 + i).padStart(2, '0')}+00:00 web${i % 4} kernel: gate[${100 + i}]: segfault at ${(0x7000_0800 + i * 0x3000).toString(16)} ` +
      `ip ${(0x5000_0000_0000 + offset).toString(16)} sp 7ffc00001000 error 4 in gate[500000000000+80000]\n`;
    const scan = Array.from({ length: 24 }, (_, i) => crash(i, 0x1000 + ((i * 7_919) % 400) * 0x410));
    const release = Array.from({ length: 24 }, (_, i) => crash(i, 0x2211));
    const folder = await corpus(
      { scan: { any: ['fleet-scan'], procname: 'gate' }, release: { any: [] } },
      { 'scan.log': scan.join(''), 'release.log': release.join('') },
    );
    const { code, stdout } = await runCommand(['corpus', 'run', '--output', 'json', folder]);
    const { captures } = JSON.parse(stdout);
    expect(captures.scan.first).toMatchObject({ rule: 'fleet-scan', procname: 'gate', seconds: 15, crashes: 16 });
    expect(captures.release.alerts).toEqual([]);
    expect(code).toBe(0);
  });

  it('exits with 1 if a capture has invalid events', async () => {
    const folder = await corpus({ broken: { any: [] } }, { 'broken.ndjson': '{"version":"V1"}\n' });
    const { code, stderr } = await runCommand(['corpus', 'run', folder]);
    expect(code).toBe(1);
    expect(stderr).toContain('1 line without a valid event ignored');
  });

  it.each<[string, unknown, Readonly<Record<string, string>>, RegExp]>([
    ['no entries', {}, {}, /has no entries/],
    ['no file', { a: { any: [] } }, {}, /entry a of expect.json has no file/],
    ['two files', { a: { any: [] } }, { 'a.log': '', 'a.kmsg': '' }, /entry a of expect.json has several files: /],
    ['an attack without a program', { a: { any: ['unmapped-jump'] } }, { 'a.log': '' }, /`any_procname: true`/],
    ['an unknown field', { a: { any: [], rules: [] } }, { 'a.log': '' }, /rules/],
    ['a cut gzip file', { a: { any: [] } }, { 'a.gz': '\x1f\x8b\x08\x00' }, /a\.gz is not a complete gzip file/],
  ])('exits with 2 for a folder that is not a corpus: %s', async (_, truths, files, message) => {
    const { code, stdout, stderr } = await runCommand(['corpus', 'run', await corpus(truths, files)]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it.each([[['corpus', 'run']], [['corpus', 'run', '/nonexistent']], [['corpus', 'run', '--output', 'xml', FIXTURES]]])(
    'exits with 2 for wrong usage: %j',
    async (args) => {
      expect(await runCommand(args)).toMatchObject({ code: 2, stdout: '' });
    },
  );
});
