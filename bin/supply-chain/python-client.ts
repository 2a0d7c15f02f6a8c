import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import semver from 'semver';
import type { Findings } from './findings.ts';
import { problemOf } from './licences.ts';
import type { AdvisoryList, Policy } from './policy.ts';

/**
 * Checks the Python client. It declares version ranges, which its users resolve. Therefore this checks that the lowest
 * accepted version is not vulnerable, and that each direct dependency has a known, allowed licence.
 */
export function judgePythonClient(root: string, { advisories }: AdvisoryList, { licences }: Policy): Findings {
  const text = readFileSync(join(root, 'api/clients/python/pyproject.toml'), 'utf8');
  const failures = directDependencies(text).flatMap(({ name, lowest }) => {
    if (lowest === undefined) return [`${name} (Python client): declare a lowest version, such as >=1.2`];
    const licence = licences.python[name] ?? null;
    const problem = licence === null ? 'its licence is not in policy.json' : problemOf(licence, licences.allowed);
    const named = advisories.filter(
      (one) => one.ecosystem === 'PyPI' && one.package === name && semver.satisfies(lowest, one.vulnerable),
    );
    return [
      ...(problem === undefined ? [] : [`${name} (Python client): ${problem}`]),
      ...named.map((one) => `${name} (Python client): accepts ${lowest}, ${one.summary} [${one.ids.join(', ')}]`),
    ];
  });
  return { failures, warnings: [], notes: [] };
}

/** Returns the `dependencies` of a pyproject.toml with the lowest accepted version of each. */
export function directDependencies(toml: string): { readonly name: string; readonly lowest: string | undefined }[] {
  const list = /^dependencies\s*=\s*\[((?:[^\]"]|"[^"]*")*)\]/m.exec(toml)?.[1] ?? '';
  return [...list.matchAll(/"([A-Za-z0-9._-]+)([^"]*)"/g)].map(([, name = '', range = '']) => {
    const lowest = />=\s*([\d.]+)/.exec(range)?.[1];
    return { name, lowest: lowest === undefined ? undefined : (semver.coerce(lowest)?.version ?? undefined) };
  });
}
