import type { Host, Program } from './program.ts';
import type { StateReader } from './state-reader.ts';
import type { StateWriter } from './state-writer.ts';

/** What the rule remembers of the program or host, to be changed in place. The rule bounds its length. */
export function ruleMemory(owner: Host | Program, rule: string): number[] {
  owner.memory ??= new Map();
  let numbers = owner.memory.get(rule);
  if (numbers === undefined) {
    numbers = [];
    owner.memory.set(rule, numbers);
  }
  return numbers;
}

/** Writes the memory of all owners, each with its number. Nothing when no rule keeps any: the state is then that of older versions. */
export function writeMemories(writer: StateWriter, owners: readonly (Host | Program)[]): void {
  const kept = owners.flatMap(({ memory }, owner) =>
    [...(memory ?? [])]
      .filter(([, numbers]) => numbers.length > 0)
      .map(([rule, numbers]) => ({ owner, rule, numbers })),
  );
  if (kept.length === 0) return;
  writer.number(kept.length);
  for (const { owner, rule, numbers } of kept) {
    writer.number(owner);
    writer.text(rule);
    writer.numbers(numbers);
  }
}

/** Reads what `writeMemories` wrote at the end of a state. */
export function readMemories(reader: StateReader, owners: readonly (Host | Program)[]): void {
  if (reader.atEnd()) return;
  const count = reader.number();
  for (let i = 0; i < count; i += 1) {
    const owner = owners[reader.number()];
    const rule = reader.text();
    const numbers = reader.numbers() ?? [];
    if (owner === undefined) throw new RangeError('the snapshot is damaged: memory of a rule without its owner');
    ruleMemory(owner, rule).push(...numbers);
  }
}
