import type { Instant } from '#schemas/events/accepted.ts';
import type { FatalSignal } from '#schemas/events/event.ts';
import type { Program } from '../state/program.ts';
import { ruleMemory } from '../state/rule-memory.ts';

/** Explanations of an abort: the C library found a changed canary, or an assertion of the program failed. */
export type AbortWitness = 'stack-smashing' | 'assertion';
/** Conclusion that the witnesses allow about an episode. It is the second detail of the episode. */
export type WitnessConclusion = 'witnessed' | 'asserted';

const MEMORY = 'abort-witnesses';
/** Kinds of witnesses. The rule memory holds per kind: the count, and the time of the latest witness (seconds). */
const KINDS: readonly AbortWitness[] = ['stack-smashing', 'assertion'];

/** Returns the field `witness` of an event, an addition that no schema validates. Undefined for other events. */
export function witnessOf(signal: FatalSignal): string | undefined {
  const { witness } = signal as { readonly witness?: unknown };
  return typeof witness === 'string' ? witness : undefined;
}

/** Returns true if the witness explains an abort. */
export function explainsAbort(witness: string | undefined): witness is AbortWitness {
  return witness !== undefined && (KINDS as readonly string[]).includes(witness);
}

/** Stores a witness of the program's aborts for `window` seconds. */
export function rememberWitness(program: Program, witness: AbortWitness, { seconds }: Instant, window: number): void {
  const memory = ruleMemory(program, MEMORY);
  if (memory.length === 0) memory.push(0, 0, 0, 0);
  const at = KINDS.indexOf(witness) * 2;
  const recent = Math.abs((memory[at + 1] as number) - seconds) <= window;
  memory[at] = recent ? (memory[at] as number) + 1 : 1;
  memory[at + 1] = seconds;
}

/**
 * Returns what the witnesses within `window` seconds of `t` show about `aborts` aborts. One report of a changed canary
 * is enough. Failed assertions explain the aborts only if they are at least half of them, because an attacker may cause
 * a few.
 */
export function concludeFromWitnesses(
  program: Program,
  aborts: number,
  t: number,
  window: number,
): WitnessConclusion | undefined {
  const memory = program.memory?.get(MEMORY);
  if (memory === undefined) return undefined;
  const recent = (kind: number): number =>
    Math.abs((memory[kind * 2 + 1] as number) - t) <= window ? (memory[kind * 2] as number) : 0;
  if (recent(0) > 0) return 'witnessed';
  return recent(1) * 2 >= aborts ? 'asserted' : undefined;
}
