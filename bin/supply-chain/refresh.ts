import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { readLockFile } from './lock-file.ts';
import { ADVISORIES_FILE, type Advisory, type AdvisoryList, readAdvisories } from './policy.ts';

const PATIENCE_MS = 60_000;

const answerSchema = z.record(
  z.string(),
  z.array(
    z.object({
      url: z.string(),
      title: z.string(),
      severity: z.enum(['info', 'low', 'moderate', 'high', 'critical']),
      vulnerable_versions: z.string(),
    }),
  ),
);

/** Adds the npm registry's advisories about the locked versions to the stored list, and sets its date. */
async function refresh(): Promise<void> {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const asked: Record<string, string[]> = {};
  for (const { name, version } of readLockFile(root)) asked[name] = [...(asked[name] ?? []), version];
  const registry = (await promisify(execFile)('npm', ['config', 'get', 'registry'])).stdout.trim();
  const response = await fetch(bulkAddress(registry), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(asked),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!response.ok) throw new Error(`${registry} does not serve advisories: status ${response.status}`);
  const reported = Object.entries(answerSchema.parse(await response.json())).flatMap(([name, advisories]) =>
    advisories.map(
      (one): Advisory => ({
        ids: [one.url.slice(one.url.lastIndexOf('/') + 1)],
        ecosystem: 'npm',
        package: name,
        vulnerable: one.vulnerable_versions,
        severity: one.severity,
        summary: one.title,
      }),
    ),
  );
  const updated = new Date().toISOString().slice(0, 10);
  writeFileSync(ADVISORIES_FILE, `${JSON.stringify(withReported(readAdvisories(), reported, updated), null, 2)}\n`);
  process.stderr.write(`dependencies: ${reported.length} advisories reported by ${registry}\n`);
}

/** Returns the bulk advisory URL of a registry. The registry URL may have a path, with or without a trailing slash. */
export function bulkAddress(registry: string): URL {
  return new URL('-/npm/v1/security/advisories/bulk', registry.endsWith('/') ? registry : `${registry}/`);
}

/**
 * Merges reported advisories into the list. A reported one replaces the range of the stored one with the same id and
 * package.
 */
export function withReported(list: AdvisoryList, reported: readonly Advisory[], updated: string): AdvisoryList {
  const same = (a: Advisory, b: Advisory) => a.package === b.package && a.ids.some((id) => b.ids.includes(id));
  const kept = list.advisories.map((stored) => {
    const newer = reported.find((one) => same(one, stored));
    return newer === undefined ? stored : { ...stored, vulnerable: newer.vulnerable, severity: newer.severity };
  });
  const added = reported.filter((one) => !list.advisories.some((stored) => same(one, stored)));
  return { ...list, updated, advisories: [...kept, ...added] };
}

if (import.meta.main) await refresh();
