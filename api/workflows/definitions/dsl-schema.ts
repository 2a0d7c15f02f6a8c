import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { CALLS } from '#api/executions/engine/calls/calls.ts';
import { TASK_KINDS } from '#api/executions/engine/kind-registry.ts';
import { withCertificates } from './later-authentication.ts';
import { withLaterGrpc } from './later-grpc.ts';
import { withLaterProcesses } from './later-processes.ts';

type Schema = Readonly<Record<string, unknown>>;
interface DslSchema extends Schema {
  readonly $defs: Readonly<Record<string, Schema>>;
}

/** Calls of the published schema, in schema order. */
const PUBLISHED_CALLS = ['asyncapi', 'grpc', 'http', 'openapi'];
/** Calls of later versions of the language, with the schemas of their arguments. */
const LATER_CALLS = [...CALLS].flatMap(([call, { schema }]) => (schema === undefined ? [] : [{ call, schema }]));
/** In the order of the alternatives of `callTask`. The last alternative is a call of a function by name. */
const CALL_NAMES = [...PUBLISHED_CALLS, ...LATER_CALLS.map(({ call }) => call)];

/**
 * JSON Schema of the Serverless Workflow DSL 1.0.0 as published, plus client certificates, and the calls and process
 * members of later versions.
 */
export const DSL_SCHEMA = withCertificates(
  withLaterCalls(
    withLaterProcesses(JSON.parse(readFileSync(new URL('dsl.schema.json', import.meta.url), 'utf8')) as DslSchema),
  ),
);

const EXPRESSION = { $ref: '#/$defs/runtimeExpression' };
const IS_STRING = { type: 'string' };
const IS_EXPRESSION = { type: 'string', pattern: '^\\s*\\$' };

let compiled: ValidateFunction | undefined;

/**
 * Returns a validator for definitions. It reports all errors. Errors of a task refer to the schema of its kind only.
 */
export function validateDsl(): ValidateFunction {
  compiled ??= new Ajv2020({
    strict: false,
    allErrors: true,
    validateFormats: false,
    ownProperties: true,
    logger: false,
  }).compile(amended(DSL_SCHEMA));
  return compiled;
}

/**
 * Returns the schema with two changes. First, `set`, `wait` and `timeout.after` allow an expression, as in later
 * versions of 1.0. Second, tasks, calls and durations select one alternative by key or type. With the original `oneOf`,
 * every error would be reported for all alternatives.
 */
function amended(schema: DslSchema): Schema {
  const { setTask, waitTask, timeout, callTask, duration } = schema.$defs;
  const [inline = false, text = false] = alternativesOf(duration);
  const expressionOr = (other: Schema) => choice(IS_EXPRESSION, EXPRESSION, other);
  const anyKind = { anyOf: [...TASK_KINDS.keys()].map(required) };
  return {
    ...schema,
    $defs: {
      ...schema.$defs,
      task: { type: 'object', allOf: [...kindsOf(), anyKind] },
      callTask: { allOf: callsOf(alternativesOf(callTask)) },
      duration: choice(IS_STRING, text, inline),
      setTask: withProperty(setTask, 'set', (set) => choice(IS_STRING, EXPRESSION, set)),
      waitTask: withProperty(waitTask, 'wait', expressionOr),
      timeout: withProperty(timeout, 'after', expressionOr),
    },
  };
}

type Alternative = Schema | boolean;

const required = (key: string): Schema => ({ required: [key] });
const when = (condition: Schema, schema: Alternative): Schema => ({ if: { not: condition }, else: schema });
const unless = (condition: Schema, schema: Alternative): Schema => ({ if: condition, else: schema });
const choice = (condition: Schema, schema: Alternative, other: Alternative): Schema => ({
  allOf: [when(condition, schema), unless(condition, other)],
});

function kindsOf(): Schema[] {
  return Array.from(TASK_KINDS, ([key, { schema, notBeside = [] }]) =>
    when(
      { allOf: [required(key), ...notBeside.map((other) => ({ not: required(other) }))] },
      typeof schema === 'string' ? { $ref: `#/$defs/${schema}` } : schema,
    ),
  );
}

function callsOf(alternatives: readonly Schema[]): Schema[] {
  const by = (call: Schema): Schema => ({ required: ['call'], properties: { call } });
  return [
    ...CALL_NAMES.map((call, at) => when(by({ const: call }), alternatives[at] ?? false)),
    unless(by({ enum: CALL_NAMES }), alternatives[CALL_NAMES.length] ?? false),
  ];
}

function withLaterCalls(schema: DslSchema): DslSchema {
  const { callTask } = schema.$defs;
  const published = alternativesOf(callTask).map(withLaterGrpc);
  const later = LATER_CALLS.map(({ call, schema: given }) => ({
    $ref: '#/$defs/taskBase',
    type: 'object',
    unevaluatedProperties: false,
    required: ['call', 'with'],
    properties: { call: { type: 'string', const: call }, with: given },
  }));
  const ofFunction = withProperty(published.at(-1), 'call', (call) => ({
    ...(call as Schema),
    not: { enum: CALL_NAMES },
  }));
  const oneOf = [...published.slice(0, -1), ...later, ofFunction];
  return { ...schema, $defs: { ...schema.$defs, callTask: { ...callTask, oneOf } } };
}

function alternativesOf(schema: Schema | undefined): readonly Schema[] {
  return (schema?.oneOf ?? []) as readonly Schema[];
}

function withProperty(schema: Schema | undefined, key: string, change: (property: Schema) => Schema): Schema {
  const properties = (schema?.properties ?? {}) as Readonly<Record<string, Schema>>;
  const property = properties[key];
  if (property === undefined) throw new Error(`the schema of the DSL has no property ${key} here`);
  return { ...schema, properties: { ...properties, [key]: change(property) } };
}
