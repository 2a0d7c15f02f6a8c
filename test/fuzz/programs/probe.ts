import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ProbeReport, ProbeTask } from './probe-messages.ts';

export interface Probe {
  /** The newest report; undefined within the first second. */
  report(): ProbeReport | undefined;
  stop(): void;
}

/** Starts the probe and a bare server to compare with, each a process of its own. `onReport` receives a report once a second. */
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

/** Ends when the channel to this process closes, however this process ends. */
function child(file: string): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), { execArgv: [] });
}
