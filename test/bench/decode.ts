import { decodeRecord } from '#ingest/pipeline/decode.ts';
import { createValidateStep } from '#ingest/pipeline/validate.ts';
import type { BenchRow } from './row.ts';

/** Distinct records a round goes over: more than the processor's caches of one value, fewer than its memory. */
const RECORDS = 4096;
const ROUNDS = 12;

const LIMITS = { maxBytes: 1024 * 1024 };

/**
 * Decode and validate on one core, against `toString` and `JSON.parse` alone on the same Buffers: crash events of about 490 bytes, with
 * ordinary addresses and with every address above 2^53. The two sides run in turns and the median turn counts, so that a
 * machine that slows down slows both.
 */
export async function benchDecode(): Promise<BenchRow[]> {
  return [
    measure('decode + validate, ordinary addresses', crashes(false), 0.55),
    measure('decode + validate, every address above 2^53', crashes(true), 0.25),
  ];
}

function measure(name: string, records: readonly Buffer[], target: number): BenchRow {
  const validate = createValidateStep({ signalDialect: 'v1' });
  const ours = () => {
    for (const record of records) {
      const decoded = decodeRecord(record, LIMITS);
      if (!decoded.ok || !validate(decoded.text).ok) throw new Error('the benchmark feeds valid events only');
    }
  };
  const parseAlone = () => {
    for (const record of records) JSON.parse(record.toString('utf8'));
  };
  const times = { ours: [] as number[], parseAlone: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    times.parseAlone.push(timed(parseAlone));
    times.ours.push(timed(ours));
  }
  const perSecond = (list: number[]) => Math.round((RECORDS / median(list.slice(2))) * 1000);
  const value = perSecond(times.ours);
  const baseline = perSecond(times.parseAlone);
  return { name, value, unit: 'events/s', baseline, ratio: value / baseline, target };
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function median(list: number[]): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] as number;
}

/** Segfaults as the reference detector writes them, of many processes in one library. */
function crashes(huge: boolean): Buffer[] {
  const base = huge ? 0xffff_8000_0000_0000n : 0x7fd7_0f4f_0000n;
  return Array.from({ length: RECORDS }, (_, i) => {
    const address = (offset: number) => String(base + BigInt(offset));
    return Buffer.from(
      `{"version":"V1","timestamp":"2026-03-01T08:${pad((i >> 6) % 60)}:${pad(i % 60)}.${String(123456789 + i)}Z",` +
        `"hostname":"edge-${i % 97}.example.net","event":{"type":"LinuxKernelTrap","level":"Info","facility":"Kern",` +
        `"trap":{"type":"Segfault","location":${address(i * 16)}},"procname":"edge-gw","pid":${1000 + i},` +
        `"ip":${address(0x1eec + i)},"sp":${address(0x9000_0000 + i * 8)},"errcode":{"reason":"NoPageFound",` +
        `"access_type":"Read","access_mode":"User","use_of_reserved_bit":false,"instruction_fetch":false,` +
        `"protection_keys_block_access":false},"file":"libc-2.31.so","vmastart":${address(0)},` +
        `"vmasize":${huge ? address(1_540_096) : 1_540_096}}}`,
    );
  });
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}
