import type { Slot } from './place.ts';

/** Texts that differ in what stands in their slots only, and how that becomes an event. */
export interface Shape {
  /** What stays, ASCII: before each slot, and behind the last one. */
  readonly literals: readonly string[];
  readonly slots: readonly Slot[];
  readonly root: ObjectPlan;
}

/** How an object is made: as the template is, with members of its own. */
export interface ObjectPlan {
  readonly template: Readonly<Record<string, unknown>>;
  /** Members that are slots, and which. */
  readonly names: readonly string[];
  readonly slots: readonly number[];
  /** Members that are objects with slots. */
  readonly children: readonly { readonly name: string; readonly plan: ObjectPlan }[];
}

type Made = Record<string, unknown>;

/**
 * The object of a plan. Copying a template is fast where the engine has seen few kinds of objects copied at that place of the code: so the outermost,
 * those in it, and all others have a place each.
 */
export function makeObject(plan: ObjectPlan, values: readonly unknown[]): Made {
  const made: Made = { ...plan.template };
  fill(made, plan, values);
  for (const { name, plan: inner } of plan.children) made[name] = makeInner(inner, values);
  return made;
}

function makeInner(plan: ObjectPlan, values: readonly unknown[]): Made {
  const made: Made = { ...plan.template };
  fill(made, plan, values);
  for (const { name, plan: inner } of plan.children) made[name] = makeInnermost(inner, values);
  return made;
}

function makeInnermost(plan: ObjectPlan, values: readonly unknown[]): Made {
  const made: Made = { ...plan.template };
  fill(made, plan, values);
  for (const { name, plan: inner } of plan.children) made[name] = makeInnermost(inner, values);
  return made;
}

function fill(made: Made, { names, slots }: ObjectPlan, values: readonly unknown[]): void {
  for (let i = 0; i < names.length; i++) made[names[i] as string] = values[slots[i] as number];
}
