import type { JsonValue } from '../../json-value.ts';
import type { HttpAuthentication, SecretText } from './http-authentication.ts';

/** An external document: an API description, a function, a schema. */
export interface ResourceReference {
  readonly endpoint: string;
  readonly authentication?: HttpAuthentication;
}

/** An HTTP request. */
export interface HttpTask {
  readonly kind: 'http';
  readonly method: string;
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, SecretText>>;
  readonly query: Readonly<Record<string, SecretText>>;
  readonly authentication?: HttpAuthentication;
  readonly body: JsonValue | undefined;
  readonly output: 'content' | 'response' | 'raw';
  /** If true, statuses 300 to 399 are not errors. */
  readonly redirect: boolean;
}

/** An operation of an OpenAPI description. */
export interface OpenApiTask {
  readonly kind: 'openapi';
  readonly document: ResourceReference;
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, JsonValue>>;
  readonly authentication?: HttpAuthentication;
  readonly output: 'content' | 'response' | 'raw';
  readonly redirect: boolean;
}

/** Publishes a message to a channel, or subscribes to one. */
export interface AsyncApiTask {
  readonly kind: 'asyncapi';
  readonly document: ResourceReference;
  /** A channel of AsyncAPI 2, or an operation of AsyncAPI 3. */
  readonly channel?: string;
  readonly operation?: string;
  readonly server?: { readonly name: string; readonly variables: Readonly<Record<string, JsonValue>> };
  readonly protocol?: string;
  readonly authentication?: HttpAuthentication;
  readonly message?: { readonly payload: JsonValue; readonly headers: Readonly<Record<string, SecretText>> };
  readonly subscription?: MessageSubscription;
}

/** A method of a gRPC service. */
export interface GrpcTask {
  readonly kind: 'grpc';
  readonly proto: ResourceReference;
  readonly service: string;
  readonly host: string;
  /** If undefined, the default port of TLS. */
  readonly port?: number;
  readonly authentication?: HttpAuthentication;
  readonly method: string;
  /** One message. A list: the messages of a stream. */
  readonly arguments: Readonly<Record<string, JsonValue>> | readonly JsonValue[];
}

/** A request to a server of the Model Context Protocol. */
export interface McpTask {
  readonly kind: 'mcp';
  /**
   * Exactly one of these is set: an HTTP address, or a program that communicates over standard input and output.
   */
  readonly server?: ResourceReference;
  readonly program?: {
    readonly command: string;
    readonly arguments: readonly string[];
    readonly environment: Readonly<Record<string, SecretText>>;
  };
  readonly headers: Readonly<Record<string, SecretText>>;
  readonly method: string;
  readonly parameters: JsonValue;
  /** If undefined, the newest version that both sides support. */
  readonly protocolVersion?: string;
  /** Timeout of the call, including the session setup. */
  readonly timeoutMs?: number;
  readonly client: { readonly name: string; readonly version: string };
}

/** A request to an agent over the Agent2Agent protocol. */
export interface A2aTask {
  readonly kind: 'a2a';
  /** At least one of these is set. `server` overrides the address in the card. */
  readonly server?: ResourceReference;
  readonly agentCard?: ResourceReference;
  readonly method: string;
  readonly parameters: JsonValue;
}

/** Fetches a function of a catalog. The output is a task of the language. */
export interface CatalogTask {
  readonly kind: 'catalog';
  readonly document: ResourceReference;
}

/**
 * Which messages a subscription accepts, and when it ends: at the first end condition that applies. Expressions are
 * evaluated for each message.
 */
export interface MessageSubscription {
  /** Messages for which it is false are ignored and not counted. */
  readonly filter?: string;
  /** At least one end condition is set. */
  readonly amount?: number;
  readonly forMs?: number;
  /** Ends the subscription with the first message for which it is false. This message is included. */
  readonly while?: string;
  /** Ends the subscription before the first message for which it is true. This message is excluded. */
  readonly until?: string;
  /** Values of the variables that the expressions use, fixed when the task begins. */
  readonly variables?: Readonly<Record<string, JsonValue>>;
}
