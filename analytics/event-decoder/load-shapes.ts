import type { Slot } from '#schemas/events/shapes/place.ts';
import type { Shape } from '#schemas/events/shapes/shape.ts';
import { emptyTree, type ShapeTree } from '#schemas/events/shapes/shape-tree.ts';
import { NUMBER_COLUMNS, planColumns, type Step, TEXT_COLUMNS } from './column-plan.ts';
import type { DecoderModule } from './open-module.ts';

const NODE_BYTES = 28;
const BRANCH_BYTES = 8;
const STEP_BYTES = 16;
/** Of nodes, literals and lists. */
const ALIGNMENT = 16;

/** A shape whose columns the module writes. */
type Planned = { readonly shape: Shape; readonly plan: readonly Step[] };

/**
 * Writes the tree of shapes and the plans of their columns into the memory of the module, in place of those before.
 * Returns the shapes by their numbers in the module. Shapes that do not fit are left out. The module must have no names
 * before, as their number is limited.
 */
export function loadShapes(module: DecoderModule, tree: ShapeTree): readonly Shape[] {
  const { memory, shapeMemory, SHAPE_BYTES } = module;
  const end = shapeMemory + SHAPE_BYTES;
  let at = shapeMemory;
  const planned: Planned[] = [];

  /** Returns the address of so many bytes, or 0 if they do not fit. */
  function take(bytes: number): number {
    const taken = at;
    const next = at + Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    if (next > end) return 0;
    at = next;
    return taken;
  }

  function put(address: number, ...numbers: readonly number[]): void {
    for (const [i, number] of numbers.entries()) memory.writeInt32LE(number, address + 4 * i);
  }

  function writeNode({ literal, size, slot, afterSlot, branches, end: shape }: ShapeTree): number {
    const node = take(NODE_BYTES);
    const text = take(size);
    const list = take(BRANCH_BYTES * branches.size);
    if (node === 0 || text === 0 || list === 0) return 0;
    memory.set(literal, text);
    const next = afterSlot === undefined ? 0 : writeNode(afterSlot);
    for (const [i, [first, branch]] of [...branches].entries()) put(list + BRANCH_BYTES * i, first, writeNode(branch));
    put(
      node,
      text,
      size,
      slotKind(module, slot),
      next,
      list,
      branches.size,
      shape === undefined ? -1 : numberOf(shape),
    );
    return node;
  }

  /** Returns the number of the shape, or -1 if the module does not write its columns. */
  function numberOf(shape: Shape): number {
    const plan = planColumns(shape);
    return plan === undefined ? -1 : planned.push({ shape, plan }) - 1;
  }

  function writePlan(plan: readonly Step[], entry: number): boolean {
    const steps = take(STEP_BYTES * plan.length);
    if (steps === 0) return false;
    for (const [i, step] of plan.entries()) put(steps + STEP_BYTES * i, ...encodeStep(module, step));
    put(entry, steps, plan.length);
    return true;
  }

  /** Matches no text. */
  const none = writeNode(emptyTree());
  const root = writeNode(tree);
  const plans = take(8 * planned.length);
  const fits = root !== 0 && plans !== 0 && planned.every(({ plan }, i) => writePlan(plan, plans + 8 * i));
  module.useShapes(fits ? root : none, plans);
  return planned.map(({ shape }) => shape);
}

function slotKind(module: DecoderModule, slot: Slot | undefined): number {
  switch (slot) {
    case undefined:
      return module.SLOT_NONE;
    case 'name':
      return module.SLOT_NAME;
    case 'text':
      return module.SLOT_TEXT;
    case 'time':
      return module.SLOT_TIME;
    case 'uint64':
      return module.SLOT_UINT64;
    default:
      return module.SLOT_INTEGER;
  }
}

/** Returns kind, source and column of a step. */
function encodeStep(module: DecoderModule, { column, as, from }: Step): readonly [number, number, number] {
  if (as === 'text' || as === 'name') {
    const at = (TEXT_COLUMNS as readonly string[]).indexOf(column);
    if ('constant' in from) return [module.STEP_CONSTANT, nameOf(module, from.constant), at];
    return [as === 'name' ? module.STEP_NAME : module.STEP_TEXT, from.slot, at];
  }
  const at = (NUMBER_COLUMNS as readonly string[]).indexOf(column);
  const kinds = {
    number: module.STEP_NUMBER,
    number32: module.STEP_NUMBER32,
    decimal: module.STEP_DECIMAL,
    register: module.STEP_REGISTER,
  };
  return [kinds[as], 'slot' in from ? from.slot : 0, at];
}

function nameOf(module: DecoderModule, text: string): number {
  const bytes = module.memory.write(text, module.input, module.WINDOW_BYTES, 'latin1');
  return module.nameNumber(module.input, bytes);
}
