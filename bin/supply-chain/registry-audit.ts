import { execFile } from 'node:child_process';
import { z } from 'zod';
import type { LockedPackage } from './lock-file.ts';
import type { Vulnerability } from './vulnerabilities.ts';

/** Timeout, so that the check does not hang if the registry is slow. The stored list is used instead. */
const PATIENCE_MS = 4_000;

const reportSchema = z.object({
  auditReportVersion: z.literal(2),
  vulnerabilities: z.record(
    z.string(),
    z.object({
      nodes: z.array(z.string()),
      via: z.array(
        z.union([
          z.string(),
          z.object({
            name: z.string(),
            title: z.string(),
            url: z.string(),
            severity: z.enum(['info', 'low', 'moderate', 'high', 'critical']),
          }),
        ]),
      ),
    }),
  ),
});

/**
 * Runs `npm audit` on the lock file. Returns its report, or why it failed: many mirrors do not support it, and there
 * may be no network.
 */
export async function auditByRegistry(
  root: string,
  packages: readonly LockedPackage[],
): Promise<{ readonly vulnerabilities: Vulnerability[] } | { readonly unavailable: string }> {
  const output = await runAudit(root);
  const vulnerabilities = vulnerabilitiesIn(output.stdout, packages);
  return vulnerabilities === undefined ? { unavailable: output.reason } : { vulnerabilities };
}

/** Parses the output of `npm audit --json`; returns undefined if it is not a report. */
export function vulnerabilitiesIn(text: string, packages: readonly LockedPackage[]): Vulnerability[] | undefined {
  const report = reportSchema.safeParse(parsed(text));
  if (!report.success) return undefined;
  const byPath = new Map(packages.map((one) => [one.path, one]));
  return Object.values(report.data.vulnerabilities).flatMap(({ nodes, via }) =>
    via.flatMap((cause) => {
      if (typeof cause === 'string') return [];
      const ids = [cause.url.slice(cause.url.lastIndexOf('/') + 1)];
      return nodes.flatMap((node) => {
        const found = byPath.get(node);
        if (found === undefined || found.name !== cause.name) return [];
        return [{ advisory: { ids, severity: cause.severity, summary: cause.title }, package: found }];
      });
    }),
  );
}

function runAudit(root: string): Promise<{ readonly stdout: string; readonly reason: string }> {
  const options = { cwd: root, timeout: PATIENCE_MS, maxBuffer: 64 * 2 ** 20 };
  const args = ['audit', '--json', '--fetch-retries=0', `--fetch-timeout=${PATIENCE_MS}`, '--package-lock-only'];
  return new Promise((resolve) => {
    execFile('npm', args, options, (error, stdout, stderr) => {
      const reported = /npm (?:warn|error) audit (.*)|npm error (.*)/.exec(stderr);
      const late = error?.killed === true ? `no answer in ${PATIENCE_MS / 1_000} s` : undefined;
      resolve({ stdout, reason: late ?? reported?.[1] ?? reported?.[2] ?? error?.message ?? 'no report' });
    });
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
