import type { SeededRandom } from './seeded-random.ts';

/** A record for the events topic with a unique number. */
export interface NumberedRecord {
  readonly number: number;
  readonly key: string;
  readonly value: Buffer;
  readonly headers?: Record<string, string>;
  /** Expected result: stored as an event or as a dead letter. */
  readonly fate: 'event' | 'dead';
}

const HOSTS = 12;
const START_SECONDS = Date.parse('2026-03-01T00:00:00Z') / 1000;

/**
 * Generates records of a fleet under attack: crashes with addresses above 2^53, hosts whose instruction pointer is
 * probed step by step, aborts from canary guesses, suppressed callbacks, and occasional records that are not events.
 * The unknown field `n` numbers each event and must be preserved up to the query. Detections are distinguished by their
 * hosts, so `hostPrefix` separates runs.
 */
export function numberedRecords(
  random: SeededRandom,
  from: number,
  count: number,
  hostPrefix = 'host',
): NumberedRecord[] {
  return Array.from({ length: count }, (_, index) => record(random, from + index, hostPrefix));
}

function record(random: SeededRandom, number: number, hostPrefix: string): NumberedRecord {
  const host = `${hostPrefix}-${random.between(1, HOSTS)}`;
  const roll = random.next();
  if (roll < 0.02) return { number, key: host, value: poison(random, number), fate: 'dead' };
  const time = new Date((START_SECONDS + number * 0.05) * 1000).toISOString().replace('Z', '123456Z');
  const head = `{"version":"V1","n":${number},"timestamp":"${time}","hostname":"${host}","event":`;
  return { number, key: host, value: Buffer.from(`${head}${body(random, number, roll)}}`), fate: 'event' };
}

function body(random: SeededRandom, number: number, roll: number): string {
  const log = '"facility":"Kern","level":"Info"';
  if (roll < 0.06) {
    return `{"type":"LinuxSuppressedCallback",${log},"function_name":"show_signal_msg","count":${random.between(1, 90)}}`;
  }
  if (roll < 0.3) {
    const pid = 1000 + number;
    return (
      `{"type":"LinuxFatalSignal",${log},"signal":"SIGIOT","stack_dump":{"Comm":"ssp-server","PID":"${pid}",` +
      `"RIP":"0033:0x7fd70f4f1eec","RDI":"${pid.toString(16).padStart(16, '0')}","FS":"00007fd70f464740","ORIG_RAX":"00000000000000ea"}}`
    );
  }
  const scanned = random.next() < 0.5;
  const ip = scanned ? `${0x401000 + random.between(0, 120) * 2}` : `1844674407370955${random.between(1000, 1615)}`;
  const mapping = scanned ? '"file":"gateway","vmastart":4198400,"vmasize":4096,' : '';
  return (
    `{"type":"LinuxKernelTrap",${log},${mapping}"procname":"${scanned ? 'gateway' : 'worker'}","pid":${number},"ip":${ip},"sp":140722836900784,` +
    `"trap":{"type":"Segfault","location":${ip}},"errcode":{"access_mode":"User","access_type":"Read","instruction_fetch":true,` +
    '"protection_keys_block_access":false,"reason":"NoPageFound","use_of_reserved_bit":false}}'
  );
}

function poison(random: SeededRandom, number: number): Buffer {
  const kind = random.between(0, 4);
  if (kind === 0) return Buffer.from(`{"n":${number},"event":{}}`);
  if (kind === 1)
    return Buffer.concat([Buffer.from(`{"n":${number},"version":"V1","x":"`), Buffer.from([0xff, 0xfe, 0x22, 0x7d])]);
  if (kind === 2) return Buffer.from(`{"n":${number},"version":"V1"`);
  if (kind === 3)
    return Buffer.from(
      `{"n":${number},"version":"V1","timestamp":"2026-02-30T00:00:00Z","event":{"type":"ConfigMismatch"}}`,
    );
  return Buffer.from(`{"n":${number},"version":"V1","deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
}
