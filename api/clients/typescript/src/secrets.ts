import { pathOf, type RequestOptions } from './call.ts';
import type { Transport } from './transport.ts';

export interface Secret {
  readonly name: string;
  /** The only hosts that it is sent to; null: any. */
  readonly hosts: readonly string[] | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface SecretOptions extends RequestOptions {
  /**
   * The only hosts that runs send the value to, such as `api.example.org`; null: any. Without it they stay as they are. Connections use TLS, except to
   * hosts that begin with `http://`.
   */
  readonly hosts?: readonly string[] | null;
}

/** Own secrets, which own workflows and agents use by name. Values go in and never come out. */
export interface Secrets {
  list(options?: RequestOptions): Promise<{ readonly data: readonly Secret[] }>;
  /** Runs use the new value from now on. */
  set(name: string, value: string, options?: SecretOptions): Promise<void>;
  delete(name: string, options?: RequestOptions): Promise<void>;
}

const SECRETS = '/api/v1/secrets';

export function createSecrets(transport: Transport): Secrets {
  return {
    list: (options) => transport.json({ method: 'GET', path: SECRETS, ...options }),
    set: async (name, value, { hosts, ...options } = {}) =>
      transport.nothing({
        method: 'PUT',
        path: SECRETS + pathOf(name),
        json: { value, ...(hosts === undefined ? {} : { hosts }) },
        ...options,
      }),
    delete: async (name, options) => transport.nothing({ method: 'DELETE', path: SECRETS + pathOf(name), ...options }),
  };
}
