import type { Slot } from './place.ts';

/**
 * Describes all JSON texts that are equal except for the values in their slots, and how to build the event from these
 * values.
 */
export interface Shape {
  /** The constant ASCII text before each slot, and after the last one. */
  readonly literals: readonly string[];
  readonly slots: readonly Slot[];
  readonly root: ObjectPlan;
}

/** Builds an object from a template and slot values. */
export interface ObjectPlan {
  readonly template: Readonly<Record<string, unknown>>;
  /** Names of members that are slots, and the index of the slot of each. */
  readonly names: readonly string[];
  readonly slots: readonly number[];
  /** Members that are objects with slots. */
  readonly children: readonly { readonly name: string; readonly plan: ObjectPlan }[];
}

type Made = Record<string, unknown>;

/**
 * Builds the object of a plan. V8 copies a template fast only at a call site that has seen few object layouts.
 * Therefore the outer object, its direct members and all deeper objects are built in separate functions.
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
