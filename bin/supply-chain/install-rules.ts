import type { Findings } from './findings.ts';
import type { LockedPackage } from './lock-file.ts';

/**
 * Checks that each package with an install script has a decision in `allowScripts` of package.json, and that each
 * installable package has a hash in the lock file. Builds for other platforms are exempt, because `npm ci` never
 * installs them here.
 */
export function judgeInstallation(
  packages: readonly LockedPackage[],
  allowScripts: Readonly<Record<string, boolean>>,
): Findings {
  const failures: string[] = [];
  const unhashed: string[] = [];
  for (const { name, version, path, integrity, hasInstallScript, foreign } of packages) {
    if (integrity === undefined && foreign) unhashed.push(name);
    else if (integrity === undefined)
      failures.push(`${name} ${version} (${path}): no integrity hash in package-lock.json`);
    if (hasInstallScript && !foreign && !Object.hasOwn(allowScripts, name))
      failures.push(
        `${name} ${version}: brings an install script that allowScripts in package.json does not decide on`,
      );
  }
  const known = new Set(packages.filter((one) => one.hasInstallScript).map(({ name }) => name));
  const unused = Object.keys(allowScripts).filter((name) => !known.has(name));
  return {
    failures,
    warnings: unused.map((name) => `allowScripts names ${name}, which brings no install script: remove it`),
    notes: unhashed.length === 0 ? [] : [`no integrity hash for other platforms: ${unhashed.join(', ')}`],
  };
}
