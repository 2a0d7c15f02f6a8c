import { type CompiledVersion, compileVersion } from './compile-version.ts';
import { eventV1 } from './v1.ts';
import type { EventVersion } from './version.ts';

/** Every version of the event format that is read. A new one is its file and one line here. */
export const EVENT_VERSIONS: readonly EventVersion[] = [eventV1];

/** Compiled when the program starts, ahead of traffic. */
const COMPILED: ReadonlyMap<string, CompiledVersion> = new Map(
  EVENT_VERSIONS.map((version) => [version.version, compileVersion(version)]),
);

/** The version an event names in its field `version`, or undefined when no schema is known for it. */
export function compiledVersion(version: string): CompiledVersion | undefined {
  return COMPILED.get(version);
}
