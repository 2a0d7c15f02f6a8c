import { type Host, type Program, RuleMemory } from './program.ts';
import { flatRepeats, REPEATS, setRepeats } from './repeated-crashes.ts';
import type { StateReader } from './state-reader.ts';
import type { StateWriter } from './state-writer.ts';

/**
 * Returns the numbers that the rule stores for the program or host. The rule changes them in place and limits their
 * length.
 */
export function ruleMemory(owner: Host | Program, rule: string): number[] {
  owner.memory ??= new RuleMemory();
  let numbers = owner.memory.get(rule);
  if (numbers === undefined) {
    numbers = [];
    owner.memory.set(rule, numbers);
  }
  return numbers;
}

/** Writes the rule memory of all owners, each with the owner's index. */
export function writeMemories(writer: StateWriter, owners: readonly (Host | Program)[]): void {
  const kept = owners.flatMap((from, owner) =>
    [...(from.memory ?? []), ...repeatsOf(from)]
      .filter(([, numbers]) => numbers.length > 0)
      .map(([rule, numbers]) => ({ owner, rule, numbers })),
  );
  writer.number(kept.length);
  for (const { owner, rule, numbers } of kept) {
    writer.number(owner);
    writer.text(rule);
    writer.numbers(numbers);
  }
}

/** Repeated crashes belong to no rule. They are stored elsewhere while the service runs. */
function repeatsOf(owner: Host | Program): [string, number[]][] {
  return isProgram(owner) ? [[REPEATS, flatRepeats(owner)]] : [];
}

function isProgram(owner: Host | Program): owner is Program {
  return 'host' in owner;
}

/** Reads what `writeMemories` wrote at the end of a snapshot. */
export function readMemories(reader: StateReader, owners: readonly (Host | Program)[]): void {
  if (reader.atEnd()) return;
  const count = reader.number();
  for (let i = 0; i < count; i += 1) {
    const owner = owners[reader.number()];
    const rule = reader.text();
    const numbers = reader.numbers() ?? [];
    if (owner === undefined) throw new RangeError('the snapshot is damaged: memory of a rule without its owner');
    if (rule === REPEATS && isProgram(owner)) setRepeats(owner, numbers);
    else ruleMemory(owner, rule).push(...numbers);
  }
}
