import { pathOf, type RequestOptions } from './call.ts';
import type { Transport } from './transport.ts';

export interface Secret {
  readonly name: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Own secrets, which own workflows and agents use by name. Values go in and never come out. */
export interface Secrets {
  list(options?: RequestOptions): Promise<{ readonly data: readonly Secret[] }>;
  /** Runs use the new value from now on. */
  set(name: string, value: string, options?: RequestOptions): Promise<void>;
  delete(name: string, options?: RequestOptions): Promise<void>;
}

const SECRETS = '/api/v1/secrets';

export function createSecrets(transport: Transport): Secrets {
  return {
    list: (options) => transport.json({ method: 'GET', path: SECRETS, ...options }),
    set: async (name, value, options) =>
      transport.nothing({ method: 'PUT', path: SECRETS + pathOf(name), json: { value }, ...options }),
    delete: async (name, options) => transport.nothing({ method: 'DELETE', path: SECRETS + pathOf(name), ...options }),
  };
}
