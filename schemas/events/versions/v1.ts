import type { FromSchema } from 'json-schema-to-ts';

/** An unsigned 64-bit integer: a number up to 2^53 - 1, above it a bigint. */
export type U64 = number | bigint;

/**
 * Schema of every unsigned 64-bit field. `format: uint64` marks the field; `read-event.ts` checks the upper bound on
 * the source digits.
 */
const u64 = { type: 'integer', minimum: 0, format: 'uint64' } as const;
const text = { type: 'string' } as const;
const nullableText = { type: ['string', 'null'] } as const;
const nullableU64 = { type: ['integer', 'null'], minimum: 0, format: 'uint64' } as const;

export const LOG_FACILITIES = [
  'Kern',
  'User',
  'Mail',
  'Daemon',
  'Auth',
  'Syslog',
  'Lpr',
  'News',
  'UUCP',
  'Cron',
  'AuthPriv',
  'FTP',
] as const; // prettier-ignore
export const LOG_LEVELS = ['Emergency', 'Alert', 'Critical', 'Error', 'Warning', 'Notice', 'Info', 'Debug'] as const;
export const FATAL_SIGNALS = [
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGILL',
  'SIGTRAP',
  'SIGIOT',
  'SIGBUS',
  'SIGFPE',
  'SIGKILL',
  'SIGUSR1',
  'SIGSEGV',
  'SIGUSR2',
  'SIGPIPE',
  'SIGALRM',
  'SIGTERM',
  'SIGSTKFLT',
  'SIGCHLD',
  'SIGCONT',
  'SIGSTOP',
  'SIGTSTP',
  'SIGTTIN',
  'SIGTTOU',
  'SIGURG',
  'SIGXCPU',
  'SIGXFSZ',
  'SIGVTALRM',
  'SIGPROF',
  'SIGWINCH',
  'SIGIO',
  'SIGPWR',
] as const;

const facility = { enum: LOG_FACILITIES } as const;
const level = { enum: LOG_LEVELS } as const;

const trapSchema = {
  type: 'object',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  oneOf: [
    {
      type: 'object',
      required: ['type', 'description'],
      properties: { type: { const: 'Generic' }, description: text },
    },
    { type: 'object', required: ['type', 'location'], properties: { type: { const: 'Segfault' }, location: u64 } },
    { type: 'object', required: ['type'], properties: { type: { const: 'InvalidOpcode' } } },
    { type: 'object', required: ['type'], properties: { type: { const: 'GeneralProtectionFault' } } },
  ],
} as const;

const errcodeSchema = {
  type: 'object',
  required: [
    'access_mode',
    'access_type',
    'instruction_fetch',
    'protection_keys_block_access',
    'reason',
    'use_of_reserved_bit',
  ],
  properties: {
    access_mode: { enum: ['Kernel', 'User'] },
    access_type: { enum: ['Read', 'Write'] },
    instruction_fetch: { type: 'boolean' },
    protection_keys_block_access: { type: 'boolean' },
    reason: { enum: ['NoPageFound', 'ProtectionFault'] },
    use_of_reserved_bit: { type: 'boolean' },
  },
} as const;

/**
 * Optional fields of detectors that know more about a crash than the kernel log does. They are only described, not
 * validated: unknown fields of any type are kept. Events of other detectors that use these names differently stay
 * valid, and readers check the values.
 */
const crashAdditions = {
  signal_code: { description: '`si_code` of the signal: positive for a fault, 0 or negative when a process sent it' },
  user_stack: { description: 'List of addresses, hexadecimal: the instruction pointer, then return addresses' },
  file_build_id: { description: 'GNU build id of `file`, hexadecimal' },
  process: {
    description:
      'What was read of the process while it existed: `executable`, `build_id`, `uid`, `parent` (`pid`, `name`, `executable`), `unit`, `container` (`id`, `runtime`), `pod` (`uid`). Absent members are not known',
  },
} as const;

const kernelTrapSchema = {
  type: 'object',
  required: ['type', 'errcode', 'facility', 'level', 'ip', 'sp', 'pid', 'procname', 'trap'],
  properties: {
    type: { const: 'LinuxKernelTrap' },
    errcode: errcodeSchema,
    facility,
    level,
    ip: u64,
    sp: u64,
    pid: u64,
    procname: text,
    trap: trapSchema,
    file: nullableText,
    vmasize: nullableU64,
    vmastart: nullableU64,
    ...crashAdditions,
    signal: { description: 'Name of the fatal signal of the same crash' },
    stack_dump: { description: 'Registers of the dump of the same crash, as in LinuxFatalSignal' },
  },
} as const;

const fatalSignalSchema = {
  type: 'object',
  required: ['type', 'facility', 'level', 'signal', 'stack_dump'],
  properties: {
    type: { const: 'LinuxFatalSignal' },
    facility,
    level,
    signal: { enum: FATAL_SIGNALS },
    stack_dump: { type: 'object', additionalProperties: text },
    ...crashAdditions,
    file: { description: 'File that is mapped at the instruction pointer' },
    vmastart: { description: 'Address at which that file is mapped' },
    vmasize: { description: 'Size of that mapping' },
  },
} as const;

const suppressedCallbackSchema = {
  type: 'object',
  required: ['type', 'count', 'facility', 'function_name', 'level'],
  properties: { type: { const: 'LinuxSuppressedCallback' }, count: u64, facility, function_name: text, level },
} as const;

const configMismatchSchema = {
  type: 'object',
  required: ['type', 'key', 'expected_value', 'observed_value'],
  properties: { type: { const: 'ConfigMismatch' }, key: text, expected_value: text, observed_value: text },
} as const;

/**
 * Exactly one of the three members. `FullEvents` holds whole events, validated by the same schema. All three are
 * declared next to the `oneOf`, so that an invalid value is reported at its own path and not as a failed `oneOf`.
 */
const justificationSchema = {
  type: 'object',
  properties: {
    FullEvents: { type: 'array', items: { $ref: '#' } },
    RegisterValues: { type: 'array', items: text },
    EventCount: u64,
  },
  oneOf: [{ required: ['FullEvents'] }, { required: ['RegisterValues'] }, { required: ['EventCount'] }],
} as const;

const registerProbeSchema = {
  type: 'object',
  required: ['type', 'justification', 'message', 'procname', 'register'],
  properties: {
    type: { const: 'RegisterProbe' },
    justification: justificationSchema,
    message: text,
    procname: text,
    register: text,
  },
} as const;

/**
 * The V1 event as JSON Schema (vocabulary of draft 2020-12, and `discriminator` of OpenAPI). Unknown fields are allowed
 * and kept.
 */
export const eventV1Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://trapline.dev/schemas/event-v1.json',
  title: 'TraplineEventV1',
  type: 'object',
  required: ['version', 'timestamp', 'event'],
  properties: {
    version: { const: 'V1' },
    timestamp: { type: 'string', format: 'date-time' },
    hostname: nullableText,
    event: {
      type: 'object',
      required: ['type'],
      discriminator: { propertyName: 'type' },
      oneOf: [registerProbeSchema, kernelTrapSchema, fatalSignalSchema, suppressedCallbackSchema, configMismatchSchema],
    },
  },
} as const;

/** Derives the TypeScript type. Every `integer` of the schema is an exact unsigned 64-bit value in memory. */
type Exact<S> = FromSchema<
  S extends object ? S & Record<never, never> : never,
  {
    deserialize: [
      { pattern: { type: 'integer' }; output: U64 },
      { pattern: { type: readonly ['integer', 'null'] }; output: U64 | null },
    ];
  }
>;

export type KernelTrap = Exact<typeof kernelTrapSchema>;
export type FatalSignal = Exact<typeof fatalSignalSchema>;
export type SuppressedCallback = Exact<typeof suppressedCallbackSchema>;
export type ConfigMismatch = Exact<typeof configMismatchSchema>;
export type SegfaultErrorCode = Exact<typeof errcodeSchema>;
export type KernelTrapType = Exact<typeof trapSchema>;
/** Written by hand, because the type is recursive. The schema above is what is validated. */
export type RegisterProbeJustification = { FullEvents: EventV1[] } | { RegisterValues: string[] } | { EventCount: U64 };
export type RegisterProbe = {
  type: 'RegisterProbe';
  justification: RegisterProbeJustification;
  message: string;
  procname: string;
  register: string;
  [key: string]: unknown;
};
export type EventType = RegisterProbe | KernelTrap | FatalSignal | SuppressedCallback | ConfigMismatch;
export type EventV1 = {
  version: 'V1';
  timestamp: string;
  hostname?: string | null;
  event: EventType;
  [key: string]: unknown;
};

export const version = { version: 'V1', schema: eventV1Schema, described: true } as const;
