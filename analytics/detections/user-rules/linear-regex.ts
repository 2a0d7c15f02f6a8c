import { MAX_COMPARED_TEXT } from './limits.ts';

/** A regular expression as a tree; `null` in a set stands for nothing. */
export type RegexNode =
  | {
      readonly kind: 'set';
      readonly ranges: readonly (readonly [low: number, high: number])[];
      readonly negated: boolean;
    }
  | { readonly kind: 'sequence'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'either'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'repeat'; readonly part: RegexNode; readonly min: number; readonly max: number }
  | { readonly kind: 'start' | 'end' };

/** A compiled expression. */
export interface LinearRegex {
  /** Whether the expression matches somewhere in the text. Takes at most states × characters steps, whatever both are. */
  test(text: string): boolean;
  readonly states: number;
}

type Instruction =
  | { readonly kind: 'set'; readonly node: RegexNode & { kind: 'set' }; readonly next: number }
  | { readonly kind: 'split'; readonly targets: number[] }
  | { readonly kind: 'start' | 'end'; readonly next: number }
  | { readonly kind: 'match' };

/** Compiles a tree to states that are followed all at once (Thompson's construction), so that no input takes exponential time. */
export function compileRegex(root: RegexNode, maxStates: number): LinearRegex {
  const program: Instruction[] = [{ kind: 'match' }];

  function add(instruction: Instruction): number {
    if (program.length >= maxStates) throw new RangeError(`needs more than ${maxStates} states`);
    program.push(instruction);
    return program.length - 1;
  }

  /** Returns where to enter the states of `node`, which lead on to `next`. */
  function compile(node: RegexNode, next: number): number {
    switch (node.kind) {
      case 'set':
        return add({ kind: 'set', node, next });
      case 'start':
      case 'end':
        return add({ kind: node.kind, next });
      case 'sequence':
        return node.parts.reduceRight((target, part) => compile(part, target), next);
      case 'either':
        return add({ kind: 'split', targets: node.parts.map((part) => compile(part, next)) });
      case 'repeat':
        return compileRepeat(node, next);
    }
  }

  function compileRepeat({ part, min, max }: RegexNode & { kind: 'repeat' }, next: number): number {
    let entry = next;
    if (max === Number.POSITIVE_INFINITY) {
      const targets: number[] = [next];
      entry = add({ kind: 'split', targets });
      targets.push(compile(part, entry));
    } else for (let i = min; i < max; i += 1) entry = add({ kind: 'split', targets: [next, compile(part, entry)] });
    for (let i = 0; i < min; i += 1) entry = compile(part, entry);
    return entry;
  }

  const entry = compile(root, 0);
  return { test: (text) => runs(program, entry, text.slice(0, MAX_COMPARED_TEXT)), states: program.length };
}

/** Follows all states at once; a state is entered once for each character. */
function runs(program: readonly Instruction[], entry: number, text: string): boolean {
  const entered = new Int32Array(program.length).fill(-1);
  let current: number[] = [];
  for (let at = 0; at <= text.length; at += 1) {
    const waiting: number[] = [];
    const open = [entry, ...current];
    while (open.length > 0) {
      const state = open.pop() as number;
      if (entered[state] === at) continue;
      entered[state] = at;
      const instruction = program[state] as Instruction;
      if (instruction.kind === 'match') return true;
      if (instruction.kind === 'set') waiting.push(state);
      else if (instruction.kind === 'split') open.push(...instruction.targets);
      else if (instruction.kind === 'start' ? at === 0 : at === text.length) open.push(instruction.next);
    }
    if (at === text.length) return false;
    const code = text.charCodeAt(at);
    current = [];
    for (const state of waiting) {
      const { node, next } = program[state] as Instruction & { kind: 'set' };
      if (inSet(node, code)) current.push(next);
    }
  }
  return false;
}

function inSet({ ranges, negated }: RegexNode & { kind: 'set' }, code: number): boolean {
  for (const [low, high] of ranges) if (code >= low && code <= high) return !negated;
  return negated;
}

/** The same expression in the language of RE2, which ClickHouse runs, for texts of ASCII characters. */
export function re2Text(node: RegexNode): string {
  switch (node.kind) {
    case 'start':
      return '\\A';
    case 'end':
      return '\\z';
    case 'sequence':
      return node.parts.map(re2Text).join('');
    case 'either':
      return `(?:${node.parts.map(re2Text).join('|')})`;
    case 'repeat':
      return `(?:${re2Text(node.part)}){${node.min},${node.max === Number.POSITIVE_INFINITY ? '' : node.max}}`;
    case 'set':
      return setText(node);
  }
}

const LAST_ASCII = 127;
const ANYTHING = '(?s:.)';

function setText({ ranges, negated }: RegexNode & { kind: 'set' }): string {
  const ascii = ranges
    .filter(([low]) => low <= LAST_ASCII)
    .map(([low, high]) => [low, Math.min(high, LAST_ASCII)] as const);
  if (ascii.length === 0) return negated ? ANYTHING : `[^\\x{0}-\\x{10ffff}]`;
  const [first] = ascii;
  if (!negated && ascii.length === 1 && first !== undefined && first[0] === first[1]) return escaped(first[0]);
  return `[${negated ? '^' : ''}${ascii.map(([low, high]) => `${escaped(low)}-${escaped(high)}`).join('')}]`;
}

function escaped(code: number): string {
  const letter = String.fromCharCode(code);
  return /[A-Za-z0-9]/.test(letter) ? letter : `\\x{${code.toString(16)}}`;
}
