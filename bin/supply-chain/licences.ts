import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import satisfies from 'spdx-satisfies';
import type { Findings } from './findings.ts';
import type { LockedPackage } from './lock-file.ts';
import type { Policy } from './policy.ts';

/**
 * Checks that each installed, shipped package has an allowed licence, or an exception for exactly its declared licence.
 */
export function judgeLicences(
  root: string,
  packages: readonly LockedPackage[],
  { licences }: Pick<Policy, 'licences'>,
): Findings {
  const failures: string[] = [];
  const used = new Set<string>();
  for (const found of packages) {
    if (!found.shipped) continue;
    const manifest = join(root, found.path, 'package.json');
    if (!existsSync(manifest)) {
      if (!found.foreign) failures.push(`${found.name} ${found.version}: is not installed, its licence is unknown`);
      continue;
    }
    const declared = declaredLicence(JSON.parse(readFileSync(manifest, 'utf8')) as Manifest);
    const exception = licences.exceptions.find((one) => one.package === found.name && one.declared === declared);
    if (exception !== undefined) used.add(exception.package);
    const problem = problemOf(exception?.licence ?? declared, licences.allowed);
    if (problem !== undefined) failures.push(`${found.name} ${found.version}: ${problem}`);
  }
  const unused = licences.exceptions.filter((one) => !used.has(one.package));
  return {
    failures,
    warnings: unused.map((one) => `the licence exception for ${one.package} is not needed: remove it from policy.json`),
    notes: [],
  };
}

interface Manifest {
  readonly license?: string | { readonly type?: string };
  readonly licenses?: readonly { readonly type?: string }[];
}

/**
 * Returns the licence in package.json, in any form that npm has allowed. Several licences in the oldest form are
 * alternatives.
 */
export function declaredLicence({ license, licenses }: Manifest): string | null {
  if (typeof license === 'string') return license;
  const types = (licenses ?? (license === undefined ? [] : [license])).flatMap(({ type }) => type ?? []);
  return types.length === 0 ? null : types.join(' OR ');
}

export function problemOf(licence: string | null, allowed: readonly string[]): string | undefined {
  if (licence === null) return 'declares no licence';
  try {
    return satisfies(licence, [...allowed]) ? undefined : `licence ${licence} is not on the allow list`;
  } catch {
    return `licence "${licence}" is not an SPDX expression`;
  }
}
