import semver from 'semver';
import type { Findings } from './findings.ts';
import type { LockedPackage } from './lock-file.ts';
import type { Advisory, AdvisoryList, Policy } from './policy.ts';

/** An older list is reported as a warning. */
const STALE_DAYS = 30;
const DAY_MS = 86_400_000;

/** An installed version that is affected by an advisory. */
export interface Vulnerability {
  readonly advisory: Pick<Advisory, 'ids' | 'severity' | 'summary'>;
  readonly package: Pick<LockedPackage, 'name' | 'version' | 'path' | 'shipped'>;
}

/** Returns the installed versions that the stored list affects. */
export function vulnerabilitiesOf(
  packages: readonly LockedPackage[],
  advisories: readonly Advisory[],
): Vulnerability[] {
  const npm = advisories.filter(({ ecosystem }) => ecosystem === 'npm');
  return packages.flatMap((installed) =>
    npm
      .filter(
        (advisory) =>
          advisory.package === installed.name &&
          semver.satisfies(installed.version, advisory.vulnerable, { includePrerelease: true }),
      )
      .map((advisory) => ({ advisory, package: installed })),
  );
}

/**
 * Returns a failure per shipped package, and one note per development tool. An exception applies until the end of its
 * last day.
 */
export function judgeVulnerabilities(
  vulnerabilities: readonly Vulnerability[],
  exceptions: Policy['advisories'],
  now: Date,
): Findings {
  const failures: string[] = [];
  const notes: string[] = [];
  const tools = new Map<string, string[]>();
  for (const { advisory, package: found } of distinct(vulnerabilities)) {
    const line = `${found.name} ${found.version} (${found.path}): ${advisory.severity}, ${advisory.summary} [${advisory.ids.join(', ')}]`;
    const exception = exceptions.find((one) => one.package === found.name && advisory.ids.includes(one.id));
    if (exception === undefined && found.shipped) failures.push(line);
    else if (exception === undefined) {
      const tool = `${found.name} ${found.version}, not shipped`;
      tools.set(tool, [...(tools.get(tool) ?? []), advisory.ids[0] ?? advisory.summary]);
    } else if (now.getTime() >= Date.parse(exception.expires) + DAY_MS)
      failures.push(`${line}; the exception "${exception.reason}" expired on ${exception.expires}`);
    else notes.push(`${line}; accepted until ${exception.expires}: ${exception.reason}`);
  }
  for (const [tool, ids] of tools) notes.push(`${tool}: ${ids.join(', ')}`);
  return { failures, warnings: [], notes };
}

/** Warns if the stored list is old. */
export function judgeAge({ updated }: AdvisoryList, now: Date): Findings {
  const days = Math.floor((now.getTime() - Date.parse(updated)) / DAY_MS);
  const warnings =
    days > STALE_DAYS
      ? [`the stored advisory list is ${days} days old (${updated}): refresh it with npm run audit:refresh`]
      : [];
  return { failures: [], warnings, notes: [] };
}

/** Removes duplicates: the registry and the stored list may report the same vulnerability. */
function distinct(vulnerabilities: readonly Vulnerability[]): Vulnerability[] {
  const kept: Vulnerability[] = [];
  for (const one of vulnerabilities) {
    const known = kept.some(
      (other) =>
        other.package.path === one.package.path && other.advisory.ids.some((id) => one.advisory.ids.includes(id)),
    );
    if (!known) kept.push(one);
  }
  return kept;
}
