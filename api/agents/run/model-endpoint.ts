import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import type { OutboundFetch } from '#api/outbound/port.ts';
import type { AgentConfig } from '../agent-config.ts';
import { guardedFetch } from './guarded-fetch.ts';
import type { ModelPrices } from './model-price.ts';
import { RuntimeFailure } from './runtime.ts';

/** The endpoint of the operator, for agents that name no other. */
export interface ModelSettings {
  /** For example `http://models.internal:8000/v1`. It may be a private address. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** Default model for agents that name none. */
  readonly model?: string | undefined;
  /** Prices of the models of this endpoint. */
  readonly prices?: ModelPrices | undefined;
}

export interface ModelEndpoint {
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** True for an endpoint from the configuration of an agent: only public addresses are allowed. */
  readonly guarded: boolean;
}

/**
 * Returns the endpoint of the model of an agent. The key of the operator is never sent to an address from a
 * configuration, because its author could redirect the key to their own server.
 */
export function endpointOf(
  { model = {} }: AgentConfig,
  settings: ModelSettings | undefined,
  secrets: ReadonlyMap<string, string>,
): ModelEndpoint {
  const { baseUrl, apiKeySecret } = model;
  const own = apiKeySecret === undefined ? undefined : secrets.get(apiKeySecret);
  if (apiKeySecret !== undefined && own === undefined)
    throw new RuntimeFailure(
      'configuration',
      `the owner of the agent has no secret ${JSON.stringify(apiKeySecret)} for this host`,
    );
  const name = model.name ?? (baseUrl === undefined ? settings?.model : undefined);
  if (name === undefined) throw new RuntimeFailure('configuration', 'model.name is not set');
  if (baseUrl !== undefined) return { name, baseUrl, apiKey: own, guarded: true };
  if (settings === undefined)
    throw new RuntimeFailure(
      'configuration',
      'model.baseUrl is not set, and this installation has no model of its own',
    );
  return { name, baseUrl: settings.baseUrl, apiKey: own ?? settings.apiKey, guarded: false };
}

const CALL_MS = 300_000;
const MAX_ANSWER_BYTES = 8 * 2 ** 20;

/** Returns the model of an endpoint, for the SDK. `around` wraps its calls. */
export function modelAt(
  { name, baseUrl, apiKey, guarded }: ModelEndpoint,
  outbound: OutboundFetch,
  around: (call: typeof fetch) => typeof fetch = (call) => call,
): Exclude<LanguageModel, string> {
  const provider = createOpenAICompatible({
    name: 'agent',
    baseURL: baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
    fetch: around(guarded ? publicFetch(outbound) : (input, init) => fetch(input, { ...init, redirect: 'error' })),
  });
  return provider.chatModel(name);
}

/** Returns a `fetch` that connects only to public addresses. */
function publicFetch(outbound: OutboundFetch): typeof fetch {
  return guardedFetch(
    outbound,
    { timeoutMs: CALL_MS, maxBytes: MAX_ANSWER_BYTES },
    (reason) => new RuntimeFailure('configuration', `the endpoint of the model is not permitted (${reason})`),
  );
}
