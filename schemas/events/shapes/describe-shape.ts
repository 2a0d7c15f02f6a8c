import { type Place, type PlaceSchema, placesOf, type Slot, slotOf } from './place.ts';
import type { ObjectPlan, Shape } from './shape.ts';

/** The state of one pass over the JSON text of an event. */
interface Walk {
  readonly text: string;
  readonly literals: string[];
  readonly slots: Slot[];
  at: number;
  /** Start of the current literal. */
  since: number;
}

type Parsed = Readonly<Record<string, unknown>>;

/** Longer texts and texts with more slots have no shape: such events rarely repeat. */
const MAX_CHARACTERS = 16 * 1024;
const MAX_SLOTS = 100;

const NUMBER = /-?\d[\d.eE+-]*/y;
const PLAIN_INTEGER = /^(?:0|[1-9]\d*)$/;
const SPACE = /[\t\n\r ]*/y;
const WORD = /true|false|null/y;
/** Printable ASCII and white space, without backslashes. */
const SIMPLE = /^[\t\n\r\x20-\x5b\x5d-\x7e]*$/;

/** Internal to this file: thrown where a text has no shape. */
class NoShape extends Error {}

/**
 * Returns the shape of a text that `schema` accepted as `event`. Slots are the positions of strings and integers whose
 * value does not affect validation. Returns undefined if the text has escapes, non-ASCII characters, arrays, fractions
 * or duplicate keys. Also returns undefined if the schema uses keywords that shapes do not support.
 */
export function describeShape(text: string, event: object, schema: object): Shape | undefined {
  if (text.length > MAX_CHARACTERS || !SIMPLE.test(text)) return undefined;
  const walk: Walk = { text, literals: [], slots: [], at: 0, since: 0 };
  try {
    skip(walk, SPACE);
    const root = describeObject(walk, event as Parsed, schema as PlaceSchema);
    return { literals: [...walk.literals, text.slice(walk.since)], slots: walk.slots, root };
  } catch (error) {
    if (error instanceof NoShape) return undefined;
    throw error;
  }
}

function describeObject(walk: Walk, object: Parsed, schema: PlaceSchema | undefined): ObjectPlan {
  const { text } = walk;
  const placeOf = placesOf(schema, object);
  if (placeOf === undefined) throw new NoShape();
  const template: Record<string, unknown> = { ...object };
  const names: string[] = [];
  const slots: number[] = [];
  const children: { name: string; plan: ObjectPlan }[] = [];
  let members = 0;
  walk.at += 1;
  for (skip(walk, SPACE); text[walk.at] !== '}'; skip(walk, SPACE)) {
    if (text[walk.at] === ',') walk.at += 1;
    skip(walk, SPACE);
    const nameFrom = walk.at + 1;
    skipString(walk);
    const name = text.slice(nameFrom, walk.at - 1);
    if (name === '__proto__') throw new NoShape();
    members += 1;
    skip(walk, SPACE);
    walk.at += 1; // the colon
    skip(walk, SPACE);
    if (text[walk.at] === '{') {
      const plan = describeObject(walk, object[name] as Parsed, placeOf(name).schema);
      template[name] = Object.freeze(plan.template);
      if (plan.names.length + plan.children.length > 0) children.push({ name, plan });
    } else if (describeValue(walk, object[name], placeOf(name))) {
      names.push(name);
      slots.push(walk.slots.length - 1);
      // A number in the template would be allocated by the copy and then again by the replacement.
      template[name] = null;
    }
  }
  walk.at += 1;
  // For duplicate keys JSON.parse keeps only the last value, so the text has no shape.
  if (members !== Object.keys(object).length) throw new NoShape();
  return { template, names, slots, children };
}

/** Returns true if the value is a slot. */
function describeValue(walk: Walk, value: unknown, place: Place): boolean {
  const from = walk.at;
  if (typeof value === 'string') {
    skipString(walk);
    return vary(walk, slotOf(place, value), from + 1, walk.at - 1);
  }
  if (typeof value === 'number' || typeof value === 'bigint') {
    skip(walk, NUMBER);
    if (!PLAIN_INTEGER.test(walk.text.slice(from, walk.at))) throw new NoShape();
    return vary(walk, slotOf(place, value), from, walk.at);
  }
  if (Array.isArray(value)) throw new NoShape();
  skip(walk, WORD);
  return false;
}

function vary(walk: Walk, slot: Slot | 'same' | undefined, from: number, to: number): boolean {
  if (slot === undefined || walk.slots.length >= MAX_SLOTS) throw new NoShape();
  if (slot === 'same') return false;
  walk.literals.push(walk.text.slice(walk.since, from));
  walk.slots.push(slot);
  walk.since = to;
  return true;
}

/** Advances from the opening quote to the position after the closing quote. The text has no escapes. */
function skipString(walk: Walk): void {
  walk.at = walk.text.indexOf('"', walk.at + 1) + 1;
}

function skip(walk: Walk, what: RegExp): void {
  what.lastIndex = walk.at;
  if (what.test(walk.text)) walk.at = what.lastIndex;
}
