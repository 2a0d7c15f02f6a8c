import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createKernelLogParser } from '#ingest/detector/kernel-log-parser.ts';
import type { BenchRow } from './row.ts';

const CAPTURES = new URL('../fixtures/kmsg/', import.meta.url);
const LAUNCHER = new URL('../../bin/trapline', import.meta.url).pathname;
const ROUNDS = 7;
const LINES = 150_000;
/** The reference detector reads 155,000 to 385,000 records a second; 200,000 is what this one promises. */
const PROMISED_LINES = 200_000;
const ALLOWED_MIB = 60;

const NOISE = [
  'usb 1-1: new high-speed USB device number 2 using xhci_hcd',
  'EXT4-fs (vda1): mounted filesystem with ordered data mode. Quota mode: none.',
  'IPv6: ADDRCONF(NETDEV_CHANGE): eth0: link becomes ready',
  'audit: type=1400 audit(1700000000.123:45): apparmor="ALLOWED" operation="open" profile="x" name="/etc/passwd" pid=1',
];

/**
 * Lines a second of the parser on one core, against the promised figure: real captures, nearly all of whose lines belong to
 * dumps, and an ordinary log in which one line in a hundred does. Memory of the whole detector while it follows a log that
 * grows by a thousand lines a second: what is allowed against what is used.
 */
export async function benchDetector(): Promise<BenchRow[]> {
  const captured = await captures();
  const dumps = Array.from({ length: LINES }, (_value, at) => captured[at % captured.length] as string);
  const ordinary = Array.from({ length: LINES }, (_value, at) =>
    at % 1500 < 15 ? (captured[at % 1500] as string) : `6,${at},${at * 1000},-;${NOISE[at % NOISE.length]}`,
  );
  return [
    lineRate('detector: captures of attacks', dumps),
    lineRate('detector: an ordinary log', ordinary),
    await memory(captured),
  ];
}

async function captures(): Promise<string[]> {
  const texts = (await readdir(CAPTURES)).sort().map((name) => readFile(new URL(name, CAPTURES), 'utf8'));
  return (await Promise.all(texts)).flatMap((text) => text.trimEnd().split('\n'));
}

function lineRate(name: string, lines: readonly string[]): BenchRow {
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const parser = createKernelLogParser({ hostname: 'bench' });
    const start = process.cpuUsage();
    for (const line of lines) parser.push(line);
    parser.flush();
    // Processor time, all threads: a second and core, whatever else the machine does.
    const { user, system } = process.cpuUsage(start);
    rates.push((lines.length / (user + system)) * 1e6);
  }
  const value = Math.round(rates.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] as number);
  return { name, value, unit: 'lines/s and core', baseline: PROMISED_LINES, ratio: value / PROMISED_LINES, target: 1 };
}

async function memory(lines: readonly string[]): Promise<BenchRow> {
  const directory = await mkdtemp(join(tmpdir(), 'trapline-bench-'));
  const log = join(directory, 'kern.log');
  try {
    let used = 0;
    // The first run fills the compile cache: a service has it from its second start on.
    for (let run = 0; run < 2; run++) {
      await writeFile(log, '');
      used = await followerMemory(log, lines);
    }
    const name = 'detector: memory following a log (allowed, used)';
    return { name, value: ALLOWED_MIB, unit: 'MiB', baseline: used, ratio: ALLOWED_MIB / used, target: 1 };
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function followerMemory(log: string, lines: readonly string[]): Promise<number> {
  const follower = spawn(LAUNCHER, ['detect', '--from', log, '--follow', '--hostname', 'bench'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(follower, 'exit');
  follower.stdout.resume();
  for (let at = 0; at < 40; at++) {
    await appendFile(log, `${lines.slice(at * 100, at * 100 + 100).join('\n')}\n`);
    await pause(100);
  }
  const status = await readFile(`/proc/${follower.pid}/status`, 'utf8');
  follower.kill('SIGTERM');
  await exited;
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 102.4) / 10;
}
