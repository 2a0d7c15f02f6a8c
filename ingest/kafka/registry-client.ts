import { COMPATIBILITY, SchemaRegistry, SchemaType } from '@kafkajs/confluent-schema-registry';
import { createBoundedAgent } from './bounded-agent.ts';

export interface RegistryConnection {
  /** Root of the Confluent API, e.g. `http://registry:8081`. */
  readonly url: string;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** Timeout of one request, including its retries. Default 3,000. */
  readonly timeoutMs?: number | undefined;
}

export interface RegisteredSchema {
  readonly type: string;
  readonly text: string;
}

/** A failed request to the registry. `status` is the HTTP status; undefined if there was no response in time. */
export class RegistryFailure extends Error {
  override readonly name = 'RegistryFailure';
  readonly status: number | undefined;

  constructor(operation: string, error: unknown) {
    const { message, status } = error as { readonly message?: string; readonly status?: unknown };
    const connection = connectionFailure(message ?? '');
    const isResponse = connection === undefined && typeof status === 'number';
    const reason = isResponse ? `HTTP ${status}` : (connection ?? message ?? String(error));
    super(`the schema registry did not ${operation}: ${reason}`, { cause: error });
    this.status = isResponse ? status : undefined;
  }
}

/**
 * Returns the code of a connection that failed, such as `ECONNREFUSED`; undefined for a response of the registry. The
 * client reports both as HTTP 400. It drops the error of the system before it calls middlewares and keeps only its text,
 * which Node begins with the system call: `Error, status 400: connect ECONNREFUSED 127.0.0.1:8081`. A response of the
 * registry has the text of its own message instead.
 */
function connectionFailure(message: string): string | undefined {
  const text = / - Error, status 400: (.*)$/s.exec(message)?.[1] ?? '';
  return /^(?:connect |getaddrinfo |read |write )?(E[A-Z_]{3,}|socket hang up)/.exec(text)?.[1];
}

/** The requests to a registry that this product needs. Each rejects with a `RegistryFailure`. */
export interface RegistryClient {
  /** Returns undefined if the registry does not have the id. */
  find(id: number): Promise<RegisteredSchema | undefined>;
  /** Returns the id of a JSON schema with exactly this text under the subject, if it is registered. */
  idOf(subject: string, text: string): Promise<number | undefined>;
  register(subject: string, text: string): Promise<number>;
}

const TIMEOUT_MS = 3000;
const MAX_RESPONSE_BYTES = 8 * 2 ** 20;
const NOT_FOUND = 404;

export function createRegistryClient(connection: RegistryConnection): RegistryClient {
  const { user, password = '', timeoutMs = TIMEOUT_MS } = connection;
  const seen = new Map<number, RegisteredSchema>();
  const registry = new SchemaRegistry(
    {
      host: connection.url.replace(/\/$/, ''),
      clientId: 'trapline',
      agent: createBoundedAgent(connection.url, { timeoutMs, maxBytes: MAX_RESPONSE_BYTES }),
      retry: { retries: 1, initialRetryTimeInSecs: 0.1, maxRetryTimeInSecs: 1, factor: 0.2, multiplier: 2 },
      ...(user === undefined ? {} : { auth: { username: user, password } }),
      // The client does not expose the text of a schema, so a middleware reads it from the response.
      middlewares: [
        ({ resourceName }) => ({
          async response(next) {
            const response = await next();
            if (resourceName === 'Schema') {
              const { schema, schemaType = 'AVRO' } = response.data<{ schema: string; schemaType?: string }>();
              seen.set(Number(response.request().params().id), { type: schemaType, text: schema });
            }
            return response;
          },
        }),
      ],
    },
    // This client validates nothing. Its warnings about schemas would only go to the console.
    { [SchemaType.JSON]: { strict: false, logger: false } },
  );

  return {
    async find(id) {
      const { promise, stop } = deadline(timeoutMs);
      try {
        await Promise.race([registry.getSchema(id), promise]);
      } catch (error) {
        // The schema was received, but the client does not support its type.
        if (!seen.has(id)) {
          if (isNotFound(error)) return undefined;
          throw new RegistryFailure('look up a schema', error);
        }
      } finally {
        stop();
      }
      const found = seen.get(id);
      seen.delete(id);
      return found;
    },

    async idOf(subject, text) {
      const { promise, stop } = deadline(timeoutMs);
      try {
        return await Promise.race([
          registry.getRegistryIdBySchema(subject, { type: SchemaType.JSON, schema: text }),
          promise,
        ]);
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw new RegistryFailure('look up a subject', error);
      } finally {
        stop();
      }
    },

    async register(subject, text) {
      const { promise, stop } = deadline(timeoutMs);
      const schema = { type: SchemaType.JSON as const, schema: text };
      try {
        // Versions of the event format differ in the field `version` and need not be compatible with each other.
        const mine = registry.register(schema, { subject, compatibility: COMPATIBILITY.NONE });
        const theirs = mine.catch((error: unknown) => {
          // The operator has set another compatibility level for the subject. The client must use the same level.
          const level = /\(NONE != (\w+)\)/.exec((error as Error).message)?.[1];
          if (level === undefined) throw error;
          return registry.register(schema, { subject, compatibility: level as COMPATIBILITY });
        });
        return (await Promise.race([theirs, promise])).id;
      } catch (error) {
        throw new RegistryFailure('register a schema', error);
      } finally {
        stop();
      }
    },
  };
}

/**
 * Returns true if the registry responded that the resource does not exist. A 404 of another server (wrong URL, proxy)
 * is excluded: it has no error message of the registry, and the client then reports `Error, status 404`. The status is
 * lost where the client wraps the error again.
 */
function isNotFound(error: unknown): boolean {
  if (!(error instanceof Error) || /Error, status 404/.test(error.message)) return false;
  return (error as { status?: unknown }).status === NOT_FOUND || error.name === 'ConfluentSchemaRegistryError';
}

function deadline(ms: number): { promise: Promise<never>; stop(): void } {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no response within ${ms} ms`)), ms);
  promise.catch(() => {});
  return { promise, stop: () => clearTimeout(timer) };
}
