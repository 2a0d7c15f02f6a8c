import type { z } from 'zod';
import type { Scope } from '#schemas/api/scopes.ts';

/** A request to the HTTP API. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  /** Path that begins with a slash, with percent-encoded segments. */
  readonly path: string;
  /** Undefined parameters are omitted. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ApiAnswer {
  readonly status: number;
  /** Parsed JSON; integers above 2^53 are bigints. */
  readonly body: unknown;
}

/** Sends a request with the key of the caller. Rejects with `ApiCallFailure` if there is no usable response. */
export type CallApi = (request: ApiRequest, signal: AbortSignal) => Promise<ApiAnswer>;

/** Why there is no usable response. The message is shown to the client and contains no received data. */
export class ApiCallFailure extends Error {
  override readonly name = 'ApiCallFailure';
}

/** Effect of a tool. `reads`: nothing changes. `starts`: work begins. `proposes`: a person decides about it. */
export type ToolEffect = 'reads' | 'starts' | 'proposes';

/** A tool: one request to the API. Its name is its file name with underscores. */
export interface ToolDefinition<Input extends z.ZodObject> {
  readonly title: string;
  /** Describes the result, for the model that selects a tool. */
  readonly description: string;
  /** The scope that the API requires, for the documentation. The API enforces it. */
  readonly scope: Scope;
  readonly effect: ToolEffect;
  /** Strict zod object. Every field has a description. */
  readonly input: Input;
  readonly request: (input: z.output<Input>) => ApiRequest;
  /** Selects the returned part of the body. Default: the whole body. */
  readonly select?: (body: Readonly<Record<string, unknown>>) => unknown;
}

/** A tool that validates its input before it creates a request. */
export interface McpTool extends Omit<ToolDefinition<z.ZodObject>, 'request'> {
  /** Throws a `ZodError` for invalid input. */
  readonly request: (input: unknown) => ApiRequest;
}

/** Defines a tool, for the export `tool` of a file in `tools/`. */
export function defineTool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): McpTool {
  const { input, request } = definition;
  return { ...definition, request: (given) => request(input.parse(given)) };
}
