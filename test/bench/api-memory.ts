import { withApiProcess } from './api-process.ts';
import type { BenchContext } from './context.ts';
import { withFreshDatabase } from './fresh-database.ts';
import { loadHttp } from './http-load.ts';
import { currentMemoryMiB, peakMemoryMiB } from './processes.ts';
import { type BenchRow, boundRow } from './row.ts';

const REQUESTS = 1_000_000;
const ADDRESSES = 100_000;
const CONNECTIONS = 32;
const TURN_MS = 5_000;

/** Memory of `trapline api` during 1,000,000 requests from 100,000 addresses. */
export async function benchApiMemory({ clickHouse, progress }: BenchContext): Promise<BenchRow[]> {
  return withFreshDatabase(clickHouse, ({ database }) =>
    withApiProcess(
      clickHouse,
      database,
      async ({ url, pid }) => [await measure(Number(new URL(url).port), pid, progress)],
      { TRUSTED_PROXIES: '127.0.0.1' },
    ),
  );
}

async function measure(port: number, pid: number, progress: (text: string) => void): Promise<BenchRow> {
  let sent = 0;
  const request = () => {
    const client = sent++ % ADDRESSES;
    const address = `10.${client >> 16}.${(client >> 8) & 255}.${client & 255}`;
    return `GET /api/features HTTP/1.1\r\nhost: bench\r\nx-forwarded-for: ${address}\r\n\r\n`;
  };
  const readings: number[] = [];
  let nextReading = 0;
  while (sent < REQUESTS) {
    await loadHttp({ port, request, connections: CONNECTIONS, durationMs: TURN_MS });
    if (sent < nextReading) continue;
    nextReading = sent + REQUESTS / 10;
    readings.push(Math.round(currentMemoryMiB(pid)));
    progress(`api-memory: ${sent} requests, ${readings.at(-1)} MiB`);
  }
  return {
    ...boundRow('api: memory after 1,000,000 requests from 100,000 addresses', 'MiB', currentMemoryMiB(pid), 250),
    details: [`on the way: ${readings.join(', ')}; most at any time: ${Math.round(peakMemoryMiB(pid))}`],
  };
}
