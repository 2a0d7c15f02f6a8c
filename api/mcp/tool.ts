import type { z } from 'zod';
import type { Scope } from '#schemas/api/scopes.ts';

/** A request to the HTTP API. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  /** Begins with a slash; its parts are percent-encoded. */
  readonly path: string;
  /** Parameters that are undefined are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ApiAnswer {
  readonly status: number;
  /** Parsed JSON; integers beyond 2^53 are bigints. */
  readonly body: unknown;
}

/** Sends a request with the key of the caller. Rejects with `ApiCallFailure` when there is no answer that can be used. */
export type CallApi = (request: ApiRequest, signal: AbortSignal) => Promise<ApiAnswer>;

/** Why there is no answer. The message is shown to the client and contains nothing that was received. */
export class ApiCallFailure extends Error {
  override readonly name = 'ApiCallFailure';
}

/** What a call of a tool does. `reads`: nothing changes. `starts`: work begins. `proposes`: a person decides about it. */
export type ToolEffect = 'reads' | 'starts' | 'proposes';

/** A tool: one request to the API. Its name is that of its file, with underscores. */
export interface ToolDefinition<Input extends z.ZodObject> {
  readonly title: string;
  /** What it returns, for the model that chooses among the tools. */
  readonly description: string;
  /** The scope that the API demands, for the documentation. The API checks it. */
  readonly scope: Scope;
  readonly effect: ToolEffect;
  /** Strict zod object; every field has a description. */
  readonly input: Input;
  readonly request: (input: z.output<Input>) => ApiRequest;
  /** The part of the body that is returned. Default: all of it. */
  readonly select?: (body: Readonly<Record<string, unknown>>) => unknown;
}

/** A tool whose input is checked before its request is made. */
export interface McpTool extends Omit<ToolDefinition<z.ZodObject>, 'request'> {
  /** Throws a `ZodError` for input that the tool does not accept. */
  readonly request: (input: unknown) => ApiRequest;
}

/** Defines a tool, for the export `tool` of a file of `tools/`. */
export function defineTool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): McpTool {
  const { input, request } = definition;
  return { ...definition, request: (given) => request(input.parse(given)) };
}
