import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One package of package-lock.json. */
export interface LockedPackage {
  /** Install path, such as `node_modules/a/node_modules/b`. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** True if operators run it: a dependency of the service, or built into the console. */
  readonly shipped: boolean;
  readonly integrity?: string | undefined;
  readonly hasInstallScript: boolean;
  /** True if it cannot be installed on Linux x64 with glibc, the only supported platform. */
  readonly foreign: boolean;
  readonly dependencies: readonly string[];
}

interface LockEntry {
  /** Name of the package itself, if it is installed under another name (`npm:string-width@4`). */
  readonly name?: string;
  readonly version?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

interface LockFile {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

/**
 * Reads all packages of a lock file. `alsoShipped`: additional names, besides `dependencies`, whose code is shipped.
 */
export function readLockFile(root: string, alsoShipped: readonly string[] = []): LockedPackage[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as LockFile;
  const roots = [...Object.keys(packages['']?.dependencies ?? {}), ...alsoShipped];
  const shipped = reachable(packages, roots);
  return Object.entries(packages).flatMap(([path, entry]): LockedPackage[] =>
    path === '' || entry.link === true
      ? []
      : [
          {
            path,
            name: entry.name ?? nameOf(path),
            version: entry.version ?? '',
            shipped: shipped.has(path),
            integrity: entry.integrity,
            hasInstallScript: entry.hasInstallScript === true,
            foreign: entry.optional === true && isForeign(entry),
            dependencies: resolved(packages, path, entry),
          },
        ],
  );
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** Returns the paths of all packages reachable from the names, by Node's module resolution. */
function reachable(packages: LockFile['packages'], names: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const open = names.flatMap((name) => locate(packages, '', name) ?? []);
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    open.push(...resolved(packages, path, packages[path] ?? {}));
  }
  return found;
}

function resolved(packages: LockFile['packages'], path: string, entry: LockEntry): string[] {
  const names = [entry.dependencies, entry.optionalDependencies, entry.peerDependencies].flatMap((group) =>
    Object.keys(group ?? {}),
  );
  return [...new Set(names)].flatMap((name) => locate(packages, path, name) ?? []);
}

/** Resolves a name in the package's own folder, then in each parent folder. */
function locate(packages: LockFile['packages'], from: string, name: string): string | undefined {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    const candidate = base === '' ? `node_modules/${name}` : `${base}/node_modules/${name}`;
    if (packages[candidate] !== undefined) return candidate;
    if (base === '') return undefined;
    if (!base.includes('/node_modules/')) base = '';
  }
}

function isForeign({ os, cpu, libc }: LockEntry): boolean {
  return !allows(os, 'linux') || !allows(cpu, 'x64') || !allows(libc, 'glibc');
}

function allows(list: readonly string[] | undefined, value: string): boolean {
  return list === undefined || list.includes(value);
}
