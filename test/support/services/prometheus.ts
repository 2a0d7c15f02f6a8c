import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prometheusProgram } from '../install-services.mjs';
import { waitFor } from '../wait-for.ts';
import { freePort } from './free-ports.mjs';
import { supervise } from './supervised-process.ts';

export interface PrometheusService {
  /** `http://host:port` */
  readonly url: string;
  stop(): Promise<void>;
}

export interface PrometheusOptions {
  /** Targets, scraped every second under the given job name. */
  readonly targets: readonly {
    readonly job: string;
    /** URL of the process. Its metrics are at `/metrics`. */
    readonly url: string;
    readonly bearer?: string;
  }[];
  /** Absolute paths of rule files. */
  readonly ruleFiles?: readonly string[];
}

/** Returns the path of `prometheus` or `promtool`. */
export function prometheusPath(name: 'prometheus' | 'promtool'): string {
  const found = prometheusProgram(name);
  if (found === undefined) throw new Error(`${name} is not installed: run \`node test/support/install-services.mjs\``);
  return found;
}

/** Starts Prometheus as a local process that ends with this one. Its data folder is removed at the end. */
export async function startPrometheus({ targets, ruleFiles = [] }: PrometheusOptions): Promise<PrometheusService> {
  const home = await mkdtemp(join(tmpdir(), 'trapline-prometheus-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: ruleFiles,
    scrape_configs: targets.map(({ job, url: target, bearer }) => ({
      job_name: job,
      static_configs: [{ targets: [new URL(target).host] }],
      ...(bearer === undefined ? {} : { authorization: { credentials: bearer } }),
    })),
  };
  // JSON is valid YAML.
  await writeFile(join(home, 'prometheus.yml'), JSON.stringify(config));
  await mkdir(join(home, 'data'));
  const prometheus = supervise({
    command: prometheusPath('prometheus'),
    args: [
      `--config.file=${join(home, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(home, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    cwd: home,
    logFile: join(home, 'prometheus.log'),
    removeAtEnd: home,
  });
  const ready = async () => {
    if (!prometheus.running) return true;
    return (await fetch(`${url}/-/ready`).catch(() => undefined))?.ok === true;
  };
  await waitFor('Prometheus to be ready', ready, { everyMs: 50 });
  if (!prometheus.running) throw new Error(`Prometheus ended:\n${prometheus.output()}`);
  return { url, stop: () => prometheus.endAll() };
}
