import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ProbeReport, ProbeTask } from './probe-messages.ts';

export interface Probe {
  /** Returns the latest report; undefined within the first second. */
  report(): ProbeReport | undefined;
  stop(): void;
}

/** Starts the probe and, for comparison, a bare server, each as a separate process. Calls `onReport` once a second. */
export async function startProbe(
  { url, pid }: { readonly url: string; readonly pid: number },
  budgetMs: number,
  onReport: (report: ProbeReport) => void,
): Promise<Probe> {
  const bare = child('bare-server.ts');
  const [{ url: bareUrl }] = (await once(bare, 'message')) as [{ url: string }];
  const probe = child('probe-process.ts');
  let latest: ProbeReport | undefined;
  probe.on('message', (report: ProbeReport) => {
    latest = report;
    onReport(report);
  });
  const targets = { bare: bareUrl, '/healthz': `${url}/healthz`, '/api/health': `${url}/api/health` };
  probe.send({ targets, budgetMs, pid } satisfies ProbeTask);
  return {
    report: () => latest,
    stop() {
      for (const process of [probe, bare]) {
        process.removeAllListeners('message');
        process.kill('SIGKILL');
      }
    },
  };
}

/** The child ends when the channel to this process closes, however this process ends. */
function child(file: string): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), { execArgv: [] });
}
