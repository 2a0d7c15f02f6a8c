import { isDigit } from './digits.ts';
import type { Slot } from './place.ts';
import type { Shape } from './shape.ts';

/**
 * Prefix tree of shapes: a text is compared with all shapes in one pass. After `literal` follows a slot, the end of the
 * text, or a branch. Branches start with different bytes. A branch next to an integer slot does not start with a digit.
 */
export interface ShapeTree {
  literal: Uint8Array;
  /**
   * The literal as doubles, to compare eight bytes at once. ASCII bytes never form NaN or zero, so equal doubles have
   * equal bytes. If the length is not a multiple of eight, the last double overlaps the one before. A literal below
   * eight bytes is in `rest` only.
   */
  words: Float64Array;
  rest: Uint8Array;
  size: number;
  slot: Slot | undefined;
  /** True if only the slot can follow this literal. */
  isQuoted: boolean;
  afterSlot: ShapeTree | undefined;
  branches: Map<number, ShapeTree>;
  end: Shape | undefined;
}

const WORD = 8;
const NO_BYTES = new Uint8Array(0);

const isQuoted = (slot: Slot): boolean => slot === 'name' || slot === 'text' || slot === 'time';

/** Returns the start of the word `index` in a literal of `size` bytes, at least eight. */
export const wordAt = (index: number, size: number): number => Math.min(index * WORD, size - WORD);

export function emptyTree(): ShapeTree {
  return {
    ...compared(NO_BYTES),
    slot: undefined,
    isQuoted: false,
    afterSlot: undefined,
    branches: new Map(),
    end: undefined,
  };
}

function compared(literal: Uint8Array): Pick<ShapeTree, 'literal' | 'words' | 'rest' | 'size'> {
  const { length } = literal;
  const view = new DataView(literal.buffer, literal.byteOffset, length);
  const words = Float64Array.from({ length: length < WORD ? 0 : Math.ceil(length / WORD) }, (_, index) =>
    view.getFloat64(wordAt(index, length), true),
  );
  return { literal, words, rest: length < WORD ? literal : NO_BYTES, size: length };
}

/**
 * Adds a shape to the tree. Returns false if the tree has it already. Also returns false on a conflict: a position is a
 * slot in one shape and constant in another.
 */
export function addShape(tree: ShapeTree, shape: Shape): boolean {
  let node: ShapeTree | undefined = tree;
  for (const [index, literal] of shape.literals.entries()) {
    node = grow(node, Buffer.from(literal, 'latin1'));
    if (node === undefined) return false;
    const slot = shape.slots[index];
    if (slot === undefined) break;
    if (!takes(node, slot)) return false;
    node.slot = slot;
    node.isQuoted = isQuoted(slot);
    node.afterSlot ??= emptyTree();
    node = node.afterSlot;
  }
  if (node.end !== undefined) return false;
  node.end = shape;
  return true;
}

/**
 * Returns the node after the literal, and inserts the literal if it is missing. Returns undefined if a slot of another
 * shape conflicts.
 */
function grow(from: ShapeTree, literal: Uint8Array): ShapeTree | undefined {
  let node = from;
  let rest = literal;
  if (isEmpty(node)) {
    Object.assign(node, compared(rest));
    return node;
  }
  for (;;) {
    const shared = sharedLength(node.literal, rest);
    if (shared < node.literal.length) split(node, shared);
    rest = rest.subarray(shared);
    const [first] = rest;
    if (first === undefined) return node;
    const branch = node.branches.get(first);
    if (branch === undefined) {
      if (node.slot !== undefined && (isQuoted(node.slot) || isDigit(first))) return undefined;
      const fresh = { ...emptyTree(), ...compared(rest) };
      node.branches.set(first, fresh);
      return fresh;
    }
    node = branch;
  }
}

function isEmpty({ literal, slot, branches, end }: ShapeTree): boolean {
  return literal.length === 0 && slot === undefined && branches.size === 0 && end === undefined;
}

function split(node: ShapeTree, at: number): void {
  const behind: ShapeTree = { ...node, ...compared(node.literal.subarray(at)) };
  Object.assign(node, compared(node.literal.subarray(0, at)));
  node.slot = undefined;
  node.isQuoted = false;
  node.afterSlot = undefined;
  node.branches = new Map([[behind.literal[0] as number, behind]]);
  node.end = undefined;
}

function sharedLength(one: Uint8Array, other: Uint8Array): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one[length] === other[length]) length++;
  return length;
}

function takes(node: ShapeTree, slot: Slot): boolean {
  if (node.slot !== undefined) return node.slot === slot;
  return isQuoted(slot) ? node.branches.size === 0 : ![...node.branches.keys()].some(isDigit);
}
