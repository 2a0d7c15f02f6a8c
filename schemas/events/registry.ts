import { readdirSync } from 'node:fs';
import { type CompiledVersion, compileVersion } from './compile-version.ts';
import type { EventVersion } from './version.ts';

const FOLDER = new URL('./versions/', import.meta.url);

/** Every version of the event format that is read: the files of `versions/`, by name. */
export const EVENT_VERSIONS: readonly EventVersion[] = await loadVersions();

/** Compiled when the program starts, ahead of traffic. */
const COMPILED: ReadonlyMap<string, CompiledVersion> = new Map(
  EVENT_VERSIONS.map((version) => [version.version, compileVersion(version)]),
);

/** The version an event names in its field `version`, or undefined when no schema is known for it. */
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

/** Returns the version of a file. Throws at start what the compiler cannot see: a version is found by its file, not by an import. */
export function checkedVersion(file: string, version: EventVersion | undefined): EventVersion {
  const where = `schemas/events/versions/${file}`;
  if (version === undefined) throw new Error(`${where} must export \`version\``);
  if (`${version.version.toLowerCase()}.ts` !== file)
    throw new Error(`${where} must be named after its version in lower case (got ${version.version})`);
  return version;
}
