import { pathOf, type RequestOptions } from './call.ts';
import type { Transport } from './transport.ts';

export interface Secret {
  readonly name: string;
  /** The only hosts to which it is sent. Null: any. */
  readonly hosts: readonly string[] | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface SecretOptions extends RequestOptions {
  /**
   * The only hosts to which runs send the value, such as `api.example.org`. Null: any. If omitted, they stay as they
   * are. Connections use TLS, except to hosts that begin with `http://`.
   */
  readonly hosts?: readonly string[] | null;
}

/** Secrets of the account, which its workflows and agents use by name. Values are write-only. */
export interface Secrets {
  list(options?: RequestOptions): Promise<{ readonly data: readonly Secret[] }>;
  /** Sets a secret. Later uses by runs get the new value. */
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
