import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import type { ClickHouseService } from '../support/services/clickhouse.ts';
import { supervise } from '../support/services/supervised-process.ts';
import { waitFor } from '../support/wait-for.ts';
import { INGEST_OPTIONS, PROGRAM_ENV } from './as-program.ts';
import type { Feed } from './feed.ts';

const MAIN = fileURLToPath(new URL('../../deploy/cli/main.ts', import.meta.url));

export interface LogLine {
  readonly msg: string;
  readonly atMs: number;
  readonly pid: number;
  readonly [field: string]: unknown;
}

/** A `trapline ingest` process in the configuration of an operator. */
export interface IngestProcess {
  readonly pid: number;
  /** Start time in epoch milliseconds. */
  readonly spawnedMs: number;
  /** Returns the log lines so far that have this message. */
  logLines(message: string): Promise<LogLine[]>;
  /** Resolves to the first line with this message. Rejects after a minute. */
  logged(message: string): Promise<LogLine>;
  /** Returns the value of each sample of a metric by its labels, as written in the exposition. */
  metric(name: string): Promise<Map<string, number>>;
  /** Returns the end of the log, for error messages. */
  output(): string;
  stop(): Promise<void>;
  kill9(): Promise<void>;
}

export async function startIngest(
  feed: Feed,
  service: ClickHouseService,
  clickhouse: ClickHouse,
  env: Readonly<Record<string, string>>,
  nodeArgs: readonly string[] = [],
  main = MAIN,
): Promise<IngestProcess> {
  const directory = await mkdtemp(path.join(tmpdir(), 'trapline-bench-'));
  const logFile = path.join(directory, 'output.log');
  const spawnedMs = Date.now();
  const settings = {
    PORT: '0',
    ...PROGRAM_ENV,
    LOG_LEVEL: 'info',
    TRAPLINE_DATA_DIR: path.join(directory, 'data'),
    KAFKA_BROKERS: feed.brokers.join(','),
    TRAPLINE_TOPIC_PREFIX: feed.prefix,
    CLICKHOUSE_URL: service.url,
    CLICKHOUSE_USER: service.user,
    CLICKHOUSE_PASSWORD: service.password,
    CLICKHOUSE_DATABASE: clickhouse.database,
    ...env,
  };
  const started = supervise({
    command: process.execPath,
    args: [...INGEST_OPTIONS, ...nodeArgs, main, 'ingest'],
    logFile,
    env: settings,
    removeAtEnd: directory,
  });
  const clear = async () => {
    await started.endAll();
    await rm(directory, { recursive: true, force: true });
  };
  const logLines = async (message: string) => (await readLog(logFile)).filter(({ msg }) => msg === message);
  const logged = async (message: string): Promise<LogLine> => {
    const line = await waitFor(
      `"${message}" in the log of ingest`,
      async () => (await logLines(message))[0] ?? (started.running ? undefined : 'ended'),
      { timeoutMs: 60_000 },
    );
    if (line === 'ended') throw new Error(`ingest ended: ${started.output()}`);
    return line as LogLine;
  };
  try {
    const { pid, url } = await logged('ingest is running');
    return {
      pid,
      spawnedMs,
      logLines,
      logged,
      metric: async (name) => samplesOf(await (await fetch(`${String(url)}/metrics`)).text(), name),
      output: started.output,
      async stop() {
        await started.stop(12_000);
        await clear();
      },
      async kill9() {
        await started.kill9();
        await clear();
      },
    };
  } catch (error) {
    await clear();
    throw error;
  }
}

async function readLog(file: string): Promise<LogLine[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'));
  return lines.map((line) => {
    const fields = JSON.parse(line) as { msg: string; time: string; pid: number };
    return { ...fields, atMs: Date.parse(fields.time) };
  });
}

function samplesOf(exposition: string, name: string): Map<string, number> {
  const samples = new Map<string, number>();
  for (const line of exposition.split('\n')) {
    const match = /^(\w+)(\{[^}]*\})? (\S+)$/.exec(line);
    if (match?.[1] === name) samples.set(match[2] ?? '', Number(match[3]));
  }
  return samples;
}
