import { arrayText } from '#api/postgres/array-text.ts';
import type { ExecutionWrite } from './execution-write.ts';

/** A part of a write with its execution. The parts of one kind from all executions share one array. */
export interface Part<T> {
  readonly execution: string;
  readonly of: T;
}

/** Returns the parts of one kind from all writes, such as their steps. */
export function partsOf<T>(
  writes: readonly ExecutionWrite[],
  parts: (write: ExecutionWrite) => readonly T[],
): Part<T>[] {
  return writes.flatMap((write) => parts(write).map((of) => ({ execution: write.id, of })));
}

type Cell = string | number | boolean | null;

/** Returns one column as an array, which `unnest` converts back to rows. */
export function columnOf<K extends string>(rows: readonly { readonly [key in K]: Cell }[], name: K): string {
  return arrayText(rows.map((row) => row[name]));
}

/** `columnOf` for parts. */
export function partColumn<K extends string>(parts: readonly Part<{ readonly [key in K]: Cell }>[], name: K): string {
  return arrayText(parts.map(({ of }) => of[name]));
}

/** Returns the executions of the parts as a column. */
export function executionsOf(parts: readonly Part<unknown>[]): string {
  return arrayText(parts.map(({ execution }) => execution));
}
