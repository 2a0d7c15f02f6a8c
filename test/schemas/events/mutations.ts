import type { EventV1 } from '#schemas/events/versions/v1.ts';
import { memberStep } from '#schemas/json/path.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import type { RejectionReason } from '#schemas/rejection-codes.ts';

/** An event with exactly one violation. */
export interface Mutation {
  readonly text: string;
  readonly code: RejectionReason;
  readonly path: string;
}

type Kind = 'text' | 'nullable-text' | 'u64' | 'nullable-u64' | 'boolean' | 'choice' | 'object';

/** The fields of the format as its document lists them. Deliberately not derived from the schema under test. */
const ORIGIN: Record<string, Kind> = { facility: 'choice', level: 'choice' };
const FIELDS: Record<string, Record<string, Kind>> = {
  RegisterProbe: { justification: 'object', message: 'text', procname: 'text', register: 'text' },
  LinuxKernelTrap: {
    ...ORIGIN,
    errcode: 'object',
    ip: 'u64',
    sp: 'u64',
    pid: 'u64',
    procname: 'text',
    trap: 'object',
    file: 'nullable-text',
    vmasize: 'nullable-u64',
    vmastart: 'nullable-u64',
  },
  LinuxFatalSignal: { ...ORIGIN, signal: 'choice', stack_dump: 'object' },
  LinuxSuppressedCallback: { ...ORIGIN, count: 'u64', function_name: 'text' },
  ConfigMismatch: { key: 'text', expected_value: 'text', observed_value: 'text' },
};
const ERRCODE: Record<string, Kind> = {
  access_mode: 'choice',
  access_type: 'choice',
  instruction_fetch: 'boolean',
  protection_keys_block_access: 'boolean',
  reason: 'choice',
  use_of_reserved_bit: 'boolean',
};
const TRAPS: Record<string, Record<string, Kind>> = {
  Generic: { description: 'text' },
  Segfault: { location: 'u64' },
  InvalidOpcode: {},
  GeneralProtectionFault: {},
};

const OPTIONAL = new Set(['file', 'vmasize', 'vmastart', 'hostname']);

/** Wrong values of each kind and the expected rejection codes. */
const WRONG: Record<Kind, readonly (readonly [unknown, RejectionReason])[]> = {
  text: [
    [5, 'wrong_type'],
    [null, 'wrong_type'],
    [['x'], 'wrong_type'],
  ],
  'nullable-text': [
    [5, 'wrong_type'],
    [{}, 'wrong_type'],
  ],
  u64: [
    [-1, 'negative_integer'],
    [1.5, 'not_an_integer'],
    [2n ** 64n, 'integer_out_of_range'],
    ['1', 'wrong_type'],
    [null, 'wrong_type'],
  ],
  'nullable-u64': [
    [-1, 'negative_integer'],
    [0.5, 'not_an_integer'],
    [2n ** 64n + 1n, 'integer_out_of_range'],
    [true, 'wrong_type'],
  ],
  boolean: [
    ['true', 'wrong_type'],
    [0, 'wrong_type'],
    [null, 'wrong_type'],
  ],
  choice: [
    ['', 'not_in_enumeration'],
    ['kern', 'not_in_enumeration'],
    [7, 'wrong_type'],
    [null, 'wrong_type'],
  ],
  object: [
    [null, 'wrong_type'],
    ['x', 'wrong_type'],
    [[], 'wrong_type'],
  ],
};

/** Returns every single violation of this event, including those of enclosed events. */
export function mutationsOf(event: EventV1): Mutation[] {
  const mutations: Mutation[] = [];
  /** Serializes `root` with `holder[name]` replaced or removed, then restores it. */
  const put = (holder: object, name: string, value: unknown, code: RejectionReason, path: string) => {
    const entries = holder as Record<string, unknown>;
    const original = Object.getOwnPropertyDescriptor(entries, name);
    if (value === undefined) delete entries[name];
    else entries[name] = value;
    mutations.push({ text: stringifyExact(event), code, path });
    if (original) Object.defineProperty(entries, name, original);
    else delete entries[name];
  };
  const fields = (holder: object, kinds: Record<string, Kind>, path: string) => {
    for (const [name, kind] of Object.entries(kinds)) {
      if (!OPTIONAL.has(name)) put(holder, name, undefined, 'field_missing', `${path}.${name}`);
      if (!Object.hasOwn(holder, name)) continue;
      for (const [value, code] of WRONG[kind]) put(holder, name, value, code, `${path}.${name}`);
    }
  };
  const tag = (holder: object, path: string) => {
    put(holder, 'type', undefined, 'field_missing', `${path}.type`);
    put(holder, 'type', 'Nonsense', 'unknown_variant', `${path}.type`);
    put(holder, 'type', 5, 'wrong_type', `${path}.type`);
  };
  const whole = (one: EventV1, path: string) => {
    put(one, 'version', undefined, 'version_missing', `${path}.version`);
    put(one, 'version', 1, 'version_not_a_string', `${path}.version`);
    put(one, 'version', 'V0', 'version_unknown', `${path}.version`);
    fields(one, { event: 'object' }, path);
    if (Object.hasOwn(one, 'hostname')) fields(one, { hostname: 'nullable-text' }, path);
    put(one, 'timestamp', undefined, 'field_missing', `${path}.timestamp`);
    put(one, 'timestamp', 5, 'wrong_type', `${path}.timestamp`);
    put(one, 'timestamp', '2026-02-30T00:00:00Z', 'invalid_timestamp', `${path}.timestamp`);
    put(one, 'timestamp', '1812-02-20T00:00:00Z', 'timestamp_out_of_range', `${path}.timestamp`);
    const body = one.event;
    const at = `${path}.event`;
    tag(body, at);
    fields(body, FIELDS[body.type] as Record<string, Kind>, at);
    if (body.type === 'LinuxKernelTrap') {
      const { errcode, trap } = body as { errcode: object; trap: { type: string } };
      fields(errcode, ERRCODE, `${at}.errcode`);
      tag(trap, `${at}.trap`);
      fields(trap, TRAPS[trap.type] as Record<string, Kind>, `${at}.trap`);
    } else if (body.type === 'LinuxFatalSignal') {
      const dump = (body as { stack_dump: object }).stack_dump;
      for (const name of Object.keys(dump)) {
        put(dump, name, 5, 'wrong_type', `${at}.stack_dump${memberStep(name)}`);
      }
    } else if (body.type === 'RegisterProbe') {
      justification((body as { justification: object }).justification, `${at}.justification`);
    }
  };
  const justification = (holder: object, path: string) => {
    const name = Object.keys(holder)[0] as string;
    put(holder, name, undefined, 'ambiguous_justification', path);
    put(
      holder,
      name === 'EventCount' ? 'RegisterValues' : 'EventCount',
      name === 'EventCount' ? [] : 1,
      'ambiguous_justification',
      path,
    );
    if (name === 'EventCount') {
      for (const [value, code] of WRONG.u64) put(holder, name, value, code, `${path}.EventCount`);
      return;
    }
    put(holder, name, {}, 'wrong_type', `${path}.${name}`);
    put(holder, name, [5], 'wrong_type', `${path}.${name}[0]`);
    const { FullEvents = [] } = holder as { FullEvents?: EventV1[] };
    for (const [index, inner] of FullEvents.entries()) whole(inner, `${path}.FullEvents[${index}]`);
  };
  whole(event, '$');
  return mutations;
}
