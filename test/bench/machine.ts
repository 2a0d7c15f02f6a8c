import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';

/** Properties of a machine that matter when figures of two runs are compared. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryGiB: number;
  readonly kernel: string;
  readonly node: string;
  /** Versions of the packages that affect the figures. */
  readonly packages: Readonly<Record<string, string>>;
  readonly revision: string;
  /** Load average of the last minute before the run. Above 0.5 a core, other load distorts the figures. */
  readonly loadBefore: number;
}

const PACKAGES = ['kafkajs', '@clickhouse/client', '@chdb/lib-linux-x64-gnu', 'ajv'] as const;

export function describeMachine(): Machine {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown',
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.version,
    packages: Object.fromEntries(PACKAGES.map((name) => [name, versionOf(name)])),
    revision: revision(),
    loadBefore: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  };
}

function versionOf(name: string): string {
  const manifest = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return version;
}

/** Returns the measured commit, with the suffix `-dirty` if the working tree differs from it. */
function revision(): string {
  try {
    const cwd = new URL('.', import.meta.url);
    return execFileSync('git', ['describe', '--always', '--dirty'], { cwd, encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}
