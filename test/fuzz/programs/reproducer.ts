import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FaultKind } from './faults.ts';
import type { Unit } from './units.ts';

/** A fault and the units that cause it, stored as a file. */
export interface Reproducer {
  readonly fault: FaultKind;
  readonly detail: string;
  readonly seed: number;
  /** False if no unit shows the fault alone. `units` then holds all units that were in flight. */
  readonly isolated: boolean;
  readonly units: readonly Unit[];
}

/** Writes the file. Resolves to its path. */
export async function writeReproducer(folder: string, reproducer: Reproducer): Promise<string> {
  await mkdir(folder, { recursive: true });
  const [first] = reproducer.units;
  const name = `${reproducer.fault}-seed-${reproducer.seed}-unit-${first?.number ?? 0}.json`;
  const file = path.join(folder, name);
  await writeFile(file, `${JSON.stringify(reproducer, null, 1)}\n`);
  return file;
}

export async function readReproducer(file: string): Promise<Reproducer> {
  return JSON.parse(await readFile(file, 'utf8')) as Reproducer;
}
