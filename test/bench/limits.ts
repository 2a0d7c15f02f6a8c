import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Redis } from '#api/shared-state/ioredis.ts';
import { createRedisSharedState } from '#api/shared-state/redis.ts';
import { startRedis } from '../support/services/redis.ts';
import { ask as askProcess, startAsked } from './asked-process.ts';
import type { LimitsAnswer, LimitsTask } from './limits-process.ts';
import { type BenchRow, boundRow, ratioRow } from './row.ts';
import { median } from './statistics.ts';

const PROCESS = fileURLToPath(new URL('limits-process.ts', import.meta.url));
const LIMIT = 100;
const BURST = 500;
const BURSTS = 10;
const REQUESTS = 1_000_000;
const ADDRESSES = 100_000;
/** Comparison with PING: turns of each side, commands in a turn, and commands in flight. */
const TURNS = 5;
const COMMANDS = 10_000;
const AT_A_TIME = 100;
const QUIET = { info: () => {}, warn: () => {}, error: () => {} };

/** Measures the accuracy and the cost of rate limits. */
export async function benchLimits(): Promise<BenchRow[]> {
  const redis = await startRedis();
  try {
    return [await bursts(redis.url), await memory(), await rate(redis.url)];
  } finally {
    await redis.stop();
  }
}

/** Sends 500 concurrent requests of one address over two processes, and repeats this with ten addresses. */
async function bursts(redisUrl: string): Promise<BenchRow> {
  const processes = [startProcess(), startProcess()] as const;
  try {
    await Promise.all(processes.map((one) => ask(one, { task: 'connect', redisUrl })));
    const passed: number[] = [];
    let breaches = 0;
    for (let i = 0; i < BURSTS; i += 1) {
      const task: LimitsTask = { task: 'burst', requests: BURST / 2, address: `198.51.100.${i}` };
      const answers = await Promise.all(processes.map((one) => ask(one, task)));
      const bursted = answers.filter((answer) => answer.answer === 'burst');
      passed.push(bursted.reduce((sum, answer) => sum + answer.passed, 0));
      breaches += bursted.reduce((sum, answer) => sum + answer.breaches, 0);
    }
    const off = Math.max(...passed.map((count) => Math.abs(count - LIMIT)));
    return {
      ...boundRow(`limits: off ${LIMIT} passing of ${BURST} at once over 2 processes`, 'requests', off, 1),
      details: [`passed: ${passed.join(', ')}; blocks begun: ${breaches} for ${BURSTS} addresses`],
    };
  } finally {
    for (const one of processes) one.kill('SIGKILL');
  }
}

async function memory(): Promise<BenchRow> {
  const child = startProcess();
  try {
    const answer = await ask(child, { task: 'memory', requests: REQUESTS, addresses: ADDRESSES });
    if (answer.answer !== 'memory') throw new Error(`an answer to memory was expected, not to ${answer.answer}`);
    const { addedMiB, keptMiB, perSecond, readings } = answer;
    return {
      ...boundRow('limits: memory for 1,000,000 requests from 100,000 addresses', 'MiB', addedMiB, 150),
      details: [
        `every 100,000 requests: ${readings.join(', ')}; ${Math.round(perSecond).toLocaleString('en-US')} requests/s`,
        `in use after a collection: ${keptMiB} MiB more than before`,
      ],
    };
  } finally {
    child.kill('SIGKILL');
  }
}

/** Measures the cost of exact limits: counts in Redis against PINGs with the same client library. */
async function rate(url: string): Promise<BenchRow> {
  const shared = await createRedisSharedState({ servers: { urls: [url] }, logger: QUIET, commandMs: 10_000 });
  const bare = new Redis(url);
  const times = { count: [] as number[], ping: [] as number[] };
  try {
    for (let turn = 0; turn <= TURNS; turn += 1) {
      times.ping.push(await perSecond(() => bare.ping()));
      times.count.push(
        await perSecond((i) =>
          shared.blocks.countOrBlock({ key: `${turn} ${i % 1_000}`, limit: LIMIT, windowMs: 60_000 }, 300_000),
        ),
      );
    }
    const [count, ping] = [median(times.count.slice(1)), median(times.ping.slice(1))];
    return ratioRow('limits: counts in Redis against PINGs', 'commands/s', count, ping, null);
  } finally {
    bare.disconnect();
    await shared.close();
  }
}

async function perSecond(command: (i: number) => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: AT_A_TIME }, async () => {
      while (next < COMMANDS) {
        next += 1;
        await command(next);
      }
    }),
  );
  return (COMMANDS / (performance.now() - begun)) * 1000;
}

function startProcess(): ChildProcess {
  return startAsked(PROCESS, ['--expose-gc']);
}

function ask(child: ChildProcess, task: LimitsTask): Promise<LimitsAnswer> {
  return askProcess(child, task);
}
