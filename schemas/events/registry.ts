import { readdirSync } from 'node:fs';
import { type CompiledVersion, compileVersion } from './compile-version.ts';
import type { EventVersion } from './version.ts';

const FOLDER = new URL('./versions/', import.meta.url);

/** All supported versions of the event format: the files in `versions/`, sorted by name. */
export const EVENT_VERSIONS: readonly EventVersion[] = await loadVersions();

/** Compiled at start, before the first event arrives. */
const COMPILED: ReadonlyMap<string, CompiledVersion> = new Map(
  EVENT_VERSIONS.map((version) => [version.version, compileVersion(version)]),
);

/** Returns the compiled version for a value of the field `version`, or undefined if it is unknown. */
export function compiledVersion(version: string): CompiledVersion | undefined {
  return COMPILED.get(version);
}

async function loadVersions(): Promise<readonly EventVersion[]> {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.ts'));
  return Promise.all(
    files.sort().map(async (file) => {
      const module = (await import(new URL(file, FOLDER).href)) as { readonly version?: EventVersion };
      return checkedVersion(file, module.version);
    }),
  );
}

/**
 * Returns the version that a file exports. Throws at start if the export is missing or invalid: the compiler cannot
 * check it, because files are loaded by directory listing.
 */
export function checkedVersion(file: string, version: EventVersion | undefined): EventVersion {
  const where = `schemas/events/versions/${file}`;
  if (version === undefined) throw new Error(`${where} must export \`version\``);
  if (`${version.version.toLowerCase()}.ts` !== file)
    throw new Error(`${where} must be named after its version in lower case (got ${version.version})`);
  return version;
}
