import fc from 'fast-check';
import {
  type EventType,
  type EventV1,
  FATAL_SIGNALS,
  LOG_FACILITIES,
  LOG_LEVELS,
  type RegisterProbeJustification,
} from '#schemas/events/versions/v1.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';

/** Unsigned 64-bit values, biased towards the boundaries of doubles, bits and signs. */
export function arbU64(): fc.Arbitrary<number | bigint> {
  const edges = [
    0n,
    1n,
    2n ** 32n,
    2n ** 53n - 1n,
    2n ** 53n,
    2n ** 53n + 1n,
    2n ** 63n,
    2n ** 64n - 2n,
    2n ** 64n - 1n,
  ];
  return fc
    .oneof(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.nat().map(BigInt), fc.constantFrom(...edges))
    .map((value) => (value <= 2n ** 53n - 1n ? Number(value) : value));
}

/** Timestamps in the accepted range, with any offset and any number of fraction digits. */
export function arbTimestamp(): fc.Arbitrary<string> {
  const zone = fc.oneof(
    fc.constantFrom('Z', 'z', '-00:00'),
    fc
      .tuple(fc.constantFrom('+', '-'), fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
      .map(([sign, hours, minutes]) => `${sign}${pad(hours)}:${pad(minutes)}`),
  );
  const fraction = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 12 }).map((digits) => digits.join(''));
  // Starts one day after the lower bound and ends one day before the upper bound, so that no offset moves the instant
  // out of the range.
  const instant = fc.integer({ min: Date.UTC(1900, 0, 2) / 1000, max: Date.UTC(2262, 3, 9) / 1000 });
  return fc.tuple(instant, fraction, zone, fc.constantFrom('T', 't')).map(([seconds, digits, offset, separator]) => {
    const local = new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', separator);
    return `${local}${digits === '' ? '' : `.${digits}`}${offset}`;
  });
}

/** Process, file and host names as attackers choose them: quotes, control characters, NUL, any script. */
export function arbText(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom(
      '',
      'edge-gw',
      'PM2 v1: Go',
      '(udev-worker)',
      'a"b\\c',
      'x\u0000y',
      '"ip":1,',
      '\u2028',
      '{[',
      'ü日本',
    ),
  );
}

/** An event of the format, with enclosed events and unknown fields. `depth` limits the nesting of events. */
export function arbEventV1(depth = 1): fc.Arbitrary<EventV1> {
  const event = fc.oneof(kernelTrap(), kernelTrap(), fatalSignal(), suppressed(), configMismatch(), probe(depth));
  return withUnknown(
    fc.record(
      { version: fc.constant('V1' as const), timestamp: arbTimestamp(), hostname: nullable(arbText()), event },
      { requiredKeys: ['version', 'timestamp', 'event'] },
    ),
  ) as fc.Arbitrary<EventV1>;
}

/** The JSON text of such an event, compact or with white space between its tokens. */
export function arbEventText(): fc.Arbitrary<string> {
  return fc.tuple(arbEventV1(), fc.boolean()).map(([event, spaced]) => {
    const compact = stringifyExact(event);
    return spaced ? spaceOut(compact) : compact;
  });
}

function kernelTrap(): fc.Arbitrary<EventType> {
  const trap = fc.oneof(
    fc.record({ type: fc.constant('Generic' as const), description: arbText() }),
    fc.record({ type: fc.constant('Segfault' as const), location: arbU64() }),
    fc.record({ type: fc.constantFrom('InvalidOpcode' as const, 'GeneralProtectionFault' as const) }),
  );
  const errcode = fc.record({
    access_mode: fc.constantFrom('Kernel' as const, 'User' as const),
    access_type: fc.constantFrom('Read' as const, 'Write' as const),
    instruction_fetch: fc.boolean(),
    protection_keys_block_access: fc.boolean(),
    reason: fc.constantFrom('NoPageFound' as const, 'ProtectionFault' as const),
    use_of_reserved_bit: fc.boolean(),
  });
  const required = {
    type: fc.constant('LinuxKernelTrap' as const),
    errcode: withUnknown(errcode),
    ...origin(),
    ip: arbU64(),
    sp: arbU64(),
    pid: arbU64(),
    procname: arbText(),
    trap: withUnknown(trap),
  };
  const optional = { file: nullable(arbText()), vmasize: nullable(arbU64()), vmastart: nullable(arbU64()) };
  const requiredKeys = Object.keys(required) as (keyof typeof required)[];
  return withUnknown(fc.record({ ...required, ...optional }, { requiredKeys })) as fc.Arbitrary<EventType>;
}

function fatalSignal(): fc.Arbitrary<EventType> {
  return withUnknown(
    fc.record({
      type: fc.constant('LinuxFatalSignal' as const),
      ...origin(),
      signal: fc.constantFrom(...FATAL_SIGNALS),
      stack_dump: fc.dictionary(
        fc.constantFrom('RIP', 'RSP', 'RDI', 'RSI', 'Comm', 'PID', 'R 15', 'ä'),
        fc.oneof(arbText(), fc.constantFrom('0033:0x7fd70f4f1eec', '0000000000000000', '1234567890123456789')),
        { noNullPrototype: true },
      ),
    }),
  );
}

function suppressed(): fc.Arbitrary<EventType> {
  return withUnknown(
    fc.record({
      type: fc.constant('LinuxSuppressedCallback' as const),
      count: arbU64(),
      ...origin(),
      function_name: arbText(),
    }),
  );
}

function configMismatch(): fc.Arbitrary<EventType> {
  return withUnknown(
    fc.record({
      type: fc.constant('ConfigMismatch' as const),
      key: arbText(),
      expected_value: arbText(),
      observed_value: arbText(),
    }),
  );
}

function probe(depth: number): fc.Arbitrary<EventType> {
  const plain: fc.Arbitrary<RegisterProbeJustification>[] = [
    fc.record({ RegisterValues: fc.array(arbText(), { maxLength: 3 }) }),
    fc.record({ EventCount: arbU64() }),
  ];
  if (depth > 0) plain.push(fc.record({ FullEvents: fc.array(arbEventV1(depth - 1), { maxLength: 2 }) }));
  return withUnknown(
    fc.record({
      type: fc.constant('RegisterProbe' as const),
      justification: fc.oneof(...plain),
      message: arbText(),
      procname: arbText(),
      register: fc.constantFrom('ip', 'RDI', 'RSI', 'RIP', 'canary'),
    }),
  );
}

function origin() {
  return { facility: fc.constantFrom(...LOG_FACILITIES), level: fc.constantFrom(...LOG_LEVELS) };
}

/** Adds unknown fields, including long integers, with names that no schema will ever define. */
function withUnknown<T extends object>(known: fc.Arbitrary<T>): fc.Arbitrary<T> {
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).filter((n) => n > 2n ** 53n || n < -(2n ** 53n)),
  );
  const extra = fc.dictionary(
    fc.string({ unit: 'binary', maxLength: 5 }).map((name) => `x-${name}`),
    value,
    { maxKeys: 2, noNullPrototype: true },
  );
  return fc
    .tuple(known, fc.option(extra, { nil: {}, freq: 3 }), fc.boolean())
    .map(([fields, unknown, first]) => (first ? { ...unknown, ...fields } : { ...fields, ...unknown }) as T);
}

function nullable<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.option(arbitrary, { nil: null, freq: 4 });
}

/** Inserts all kinds of white space around every token. Skips strings, so that the meaning does not change. */
function spaceOut(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g, (token) => (token[0] === '"' ? token : ` \n${token}\r\t`));
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}
