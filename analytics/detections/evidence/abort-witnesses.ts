import type { Instant } from '#schemas/events/accepted.ts';
import type { FatalSignal } from '#schemas/events/event.ts';
import type { Program } from '../state/program.ts';
import { ruleMemory } from '../state/rule-memory.ts';

/** What explains an abort: the C library found a changed canary, or an assertion of the program failed. */
export type AbortWitness = 'stack-smashing' | 'assertion';
/** What the witnesses say of an episode, its second detail. */
export type Settled = 'witnessed' | 'asserted';

const MEMORY = 'abort-witnesses';
/** Per kind: count, and time of the latest (seconds). */
const KINDS: readonly AbortWitness[] = ['stack-smashing', 'assertion'];

/** What the addition `witness` says, which no schema checks; undefined for other events. */
export function witnessOf(signal: FatalSignal): string | undefined {
  const { witness } = signal as { readonly witness?: unknown };
  return typeof witness === 'string' ? witness : undefined;
}

/** Whether the witness explains an abort. */
export function explainsAbort(witness: string | undefined): witness is AbortWitness {
  return witness !== undefined && (KINDS as readonly string[]).includes(witness);
}

/** Remembers a witness of the program's aborts for the time of `window`, seconds. */
export function rememberWitness(program: Program, witness: AbortWitness, { seconds }: Instant, window: number): void {
  const memory = ruleMemory(program, MEMORY);
  if (memory.length === 0) memory.push(0, 0, 0, 0);
  const at = KINDS.indexOf(witness) * 2;
  const recent = Math.abs((memory[at + 1] as number) - seconds) <= window;
  memory[at] = recent ? (memory[at] as number) + 1 : 1;
  memory[at + 1] = seconds;
}

/**
 * What the witnesses within `window` seconds of `t` say of so many aborts. One report of a changed canary is enough. Failed assertions
 * explain them when they are at least half: an attacker may cause a few.
 */
export function settled(program: Program, aborts: number, t: number, window: number): Settled | undefined {
  const memory = program.memory?.get(MEMORY);
  if (memory === undefined) return undefined;
  const recent = (kind: number): number =>
    Math.abs((memory[kind * 2 + 1] as number) - t) <= window ? (memory[kind * 2] as number) : 0;
  if (recent(0) > 0) return 'witnessed';
  return recent(1) * 2 >= aborts ? 'asserted' : undefined;
}
