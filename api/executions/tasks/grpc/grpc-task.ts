import type { Method } from 'protobufjs';
import type { OutboundConnect } from '#api/outbound/outbound-connect.ts';
import { OutboundFailure } from '#api/outbound/port.ts';
import type { GrpcTask } from '../../engine/contract/call-task.ts';
import type { JsonValue } from '../../json-value.ts';
import type { Documents } from '../documents/documents.ts';
import { type FailureKind, taskFailure } from '../failures.ts';
import type { Authorize } from '../http/authorize.ts';
import { outboundFailure } from '../outbound-failure.ts';
import type { TaskContext } from '../port.ts';
import { createRedaction } from '../redact.ts';
import { type ResolveSecrets, secretsOf } from '../secrets.ts';
import { callGrpc, type GrpcResponse } from './exchange.ts';
import { methodOf, readProto } from './proto.ts';

export interface GrpcTaskDeps {
  readonly outbound: OutboundConnect;
  readonly documents: Documents;
  readonly authorize: Authorize;
  readonly resolveSecrets: ResolveSecrets;
}

const TLS_PORT = 443;
const TLS_PORTS = new Set([TLS_PORT, 8443]);
const TIMEOUT_MS = 60_000;
/** A stream lasts longer: its server or client may wait between messages. */
const STREAM_TIMEOUT_MS = 600_000;
const MAX_BYTES = 5 * 2 ** 20;
const MAX_MESSAGES = 10_000;
const MAX_DETAIL = 500;

/** Errors of the workflow language by gRPC status code. All other codes have status 502. */
const FAILURES: Readonly<
  Record<number, { readonly kind: FailureKind; readonly status: number; readonly name: string }>
> = {
  1: { kind: 'communication', status: 499, name: 'CANCELLED' },
  3: { kind: 'communication', status: 400, name: 'INVALID_ARGUMENT' },
  4: { kind: 'timeout', status: 408, name: 'DEADLINE_EXCEEDED' },
  5: { kind: 'communication', status: 404, name: 'NOT_FOUND' },
  6: { kind: 'communication', status: 409, name: 'ALREADY_EXISTS' },
  7: { kind: 'authorization', status: 403, name: 'PERMISSION_DENIED' },
  8: { kind: 'communication', status: 429, name: 'RESOURCE_EXHAUSTED' },
  9: { kind: 'communication', status: 400, name: 'FAILED_PRECONDITION' },
  10: { kind: 'communication', status: 409, name: 'ABORTED' },
  11: { kind: 'communication', status: 400, name: 'OUT_OF_RANGE' },
  12: { kind: 'communication', status: 501, name: 'UNIMPLEMENTED' },
  14: { kind: 'communication', status: 503, name: 'UNAVAILABLE' },
  16: { kind: 'authentication', status: 401, name: 'UNAUTHENTICATED' },
};

/** Creates the task that calls a method of a gRPC service through the outbound guard. */
export function createGrpcTask({ outbound, documents, authorize, resolveSecrets }: GrpcTaskDeps) {
  return async (task: GrpcTask, context: TaskContext): Promise<JsonValue> => {
    const root = await readProto(task.proto, { documents, context });
    const method = methodOf(root, task.service, task.method);
    if (method === undefined)
      throw taskFailure('configuration', context.step, `the proto file has no method ${task.service}/${task.method}`);
    const { host, port = TLS_PORT } = task;
    // A client certificate needs TLS, whatever the port.
    const secure = TLS_PORTS.has(port) || task.authentication?.scheme === 'certificate';
    const destination = { host, port, secure };
    const { value: authorization, certificate, secrets } = await authorize(task.authentication, context, destination);
    const known = await secretsOf([task.arguments], context, resolveSecrets);
    known.requireHost(destination);
    const redaction = createRedaction([...secrets, ...known.used()]);
    const named = `${task.service}/${task.method}`;
    const response = await callGrpc(outbound, {
      ...destination,
      certificate,
      path: `/${method.parent?.fullName.replace(/^\./, '') ?? task.service}/${method.name}`,
      metadata: {
        'idempotency-key': context.idempotencyKey,
        ...(authorization === undefined ? {} : { authorization }),
      },
      messages: messagesOf(method, known.fill(task.arguments as JsonValue), context.step),
      timeoutMs: method.requestStream === true || method.responseStream === true ? STREAM_TIMEOUT_MS : TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      maxMessages: MAX_MESSAGES,
      signal: context.signal,
    }).catch((error: unknown) => {
      if (!(error instanceof OutboundFailure)) throw error;
      throw outboundFailure(error, context, named);
    });
    refuse(response, named, context.step, (text) => redaction.json(text));
    return redaction.json(outputOf(method, response, context.step));
  };
}

/** Returns the request messages. Only a method that takes a stream takes a list; an object is a stream of one message. */
function messagesOf(method: Method, given: JsonValue, step: string): readonly Uint8Array[] {
  if (!Array.isArray(given)) return [encoded(method, given, step)];
  if (method.requestStream !== true)
    throw taskFailure('validation', step, `the arguments: ${method.name} takes one message, not a list`);
  return given.map((message, at) => encoded(method, message, step, ` (message ${at + 1})`));
}

function encoded(method: Method, given: JsonValue, step: string, which = ''): Uint8Array {
  const type = method.resolvedRequestType;
  if (type === null) throw taskFailure('configuration', step, `the proto file has no type ${method.requestType}`);
  try {
    if (given === null || typeof given !== 'object') throw new Error('a message must be an object');
    const object = given as Record<string, unknown>;
    const unknown = Object.keys(object).find((name) => !Object.hasOwn(type.fields, name));
    if (unknown !== undefined) throw new Error(`the message has no field ${unknown}`);
    return type.encode(type.fromObject(object)).finish();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw taskFailure('validation', step, `the arguments${which}: ${why}`);
  }
}

function refuse({ status, detail }: GrpcResponse, named: string, step: string, redact: (text: string) => string): void {
  if (status === 0) return;
  const failure = FAILURES[status] ?? { kind: 'communication' as const, status: 502, name: `status ${status}` };
  const why = detail === '' ? '' : `: ${redact(detail).slice(0, MAX_DETAIL)}`;
  throw taskFailure(failure.kind, step, `${named} ended with ${failure.name}${why}`, { status: failure.status });
}

/** Returns the message, or the list of messages of a stream. 64-bit numbers are strings, bytes are base64. */
function outputOf(method: Method, { messages }: GrpcResponse, step: string): JsonValue {
  const type = method.resolvedResponseType;
  if (type === null) throw taskFailure('configuration', step, `the proto file has no type ${method.responseType}`);
  const values = messages.map((message) => {
    try {
      return type.toObject(type.decode(message), {
        longs: String,
        enums: String,
        bytes: String,
        defaults: true,
      }) as JsonValue;
    } catch {
      throw taskFailure('communication', step, 'the response is not a message of the proto file');
    }
  });
  return method.responseStream === true ? values : (values[0] ?? null);
}
