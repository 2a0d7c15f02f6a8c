import { createAddressLimiter } from '#api/http/limits/address-limiter.ts';
import { createMemorySharedState } from '#api/shared-state/memory.ts';
import { createRedisSharedState } from '#api/shared-state/redis.ts';
import { answerEach } from './asked-process.ts';

/**
 * Tasks of a child process that counts requests as an API process does. `burst` counts concurrent requests of one
 * address in Redis; `memory` counts requests of many addresses in the memory of the process. Each task starts with a
 * message, so that two processes can begin together.
 */

export type LimitsTask =
  | { readonly task: 'connect'; readonly redisUrl: string }
  | { readonly task: 'burst'; readonly requests: number; readonly address: string }
  | { readonly task: 'memory'; readonly requests: number; readonly addresses: number };

export type LimitsAnswer =
  | { readonly answer: 'connected' }
  | { readonly answer: 'burst'; readonly passed: number; readonly breaches: number }
  | {
      readonly answer: 'memory';
      readonly addedMiB: number;
      readonly keptMiB: number;
      readonly perSecond: number;
      readonly readings: number[];
    };

const READINGS = 10;
let shared = createMemorySharedState();
let limiter = createAddressLimiter({ shared });

answerEach(answer);

async function answer(message: LimitsTask): Promise<LimitsAnswer> {
  switch (message.task) {
    case 'connect':
      shared = await createRedisSharedState({
        servers: { urls: [message.redisUrl] },
        logger: console,
        commandMs: 10_000,
      });
      limiter = createAddressLimiter({ shared });
      return { answer: 'connected' };
    case 'burst':
      return burst(message);
    case 'memory':
      return memory(message);
  }
}

async function burst({ requests, address }: Extract<LimitsTask, { task: 'burst' }>): Promise<LimitsAnswer> {
  const outcomes = await Promise.all(
    Array.from({ length: requests }, async () => {
      const blocked = await limiter.refuseBlocked(address);
      return blocked ?? (await limiter.count(address)).refusal;
    }),
  );
  const passed = outcomes.filter((refusal) => refusal === undefined).length;
  return { answer: 'burst', passed, breaches: outcomes.filter((refusal) => refusal?.began).length };
}

/** Returns ten readings of the resident memory, and the heap that is still used after a garbage collection. */
async function memory({ requests, addresses }: Extract<LimitsTask, { task: 'memory' }>): Promise<LimitsAnswer> {
  const before = process.memoryUsage();
  const readings: number[] = [];
  const begun = performance.now();
  for (let i = 0; i < requests; i += 1) {
    const host = i % addresses;
    const address = `10.${host >> 16}.${(host >> 8) & 255}.${host & 255}`;
    if ((await limiter.refuseBlocked(address)) === undefined) await limiter.count(address);
    if ((i + 1) % (requests / READINGS) === 0) readings.push(mebibytes(process.memoryUsage().rss - before.rss));
  }
  const perSecond = (requests / (performance.now() - begun)) * 1000;
  globalThis.gc?.();
  const keptMiB = mebibytes(process.memoryUsage().heapUsed - before.heapUsed);
  // Uses the limiter after the measurement, so that its state could not be collected before.
  await limiter.count('192.0.2.1');
  return { answer: 'memory', keptMiB, addedMiB: Math.max(...readings), perSecond, readings };
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
