import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import type { OutboundFetch } from '#api/outbound/port.ts';
import type { AgentConfig } from '../agent-config.ts';
import { guardedFetch } from './guarded-fetch.ts';
import type { ModelPrices } from './model-price.ts';
import { RuntimeFailure } from './runtime.ts';

/** The operator's own endpoint, for agents that name none. */
export interface ModelSettings {
  /** Such as `http://models.internal:8000/v1`; it may be an address that is not public. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** For agents that name no model. */
  readonly model?: string | undefined;
  /** Of the models of this endpoint. */
  readonly prices?: ModelPrices | undefined;
}

export interface ModelEndpoint {
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** Of an agent's configuration: only public addresses are gone to. */
  readonly guarded: boolean;
}

/**
 * The endpoint of an agent's model. An address in a configuration never gets the operator's key: the author of a configuration could have it
 * sent to their own server.
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

/** The model behind an endpoint, for the SDK. `around` wraps its calls. */
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

/** Goes to public addresses alone. */
function publicFetch(outbound: OutboundFetch): typeof fetch {
  return guardedFetch(
    outbound,
    { timeoutMs: CALL_MS, maxBytes: MAX_ANSWER_BYTES },
    (reason) => new RuntimeFailure('configuration', `the endpoint of the model is not permitted (${reason})`),
  );
}
