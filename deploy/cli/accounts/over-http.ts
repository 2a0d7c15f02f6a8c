import type { AdministeredUserBody } from '#schemas/api/users.ts';
import { CommandError } from '../command-error.ts';
import type { ServerConnection } from '../server-connection.ts';
import type { Accounts } from './port.ts';

interface UserPage {
  readonly data: AdministeredUserBody[];
  readonly total: number;
}

/** Users per page of a list: the maximum of the API. */
const PAGE = 100;

/** Accounts and keys of a running server, through its administration routes. */
export function accountsOverHttp(server: ServerConnection): Accounts {
  const asked = async <T>(path: string, method = 'GET', body?: object): Promise<T> => {
    const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    return (await server.request(path, { method, ...(body === undefined ? {} : json) })).json() as Promise<T>;
  };
  const pageOf = (parameters: Record<string, string>) =>
    asked<UserPage>(`/api/admin/users?${new URLSearchParams({ limit: String(PAGE), ...parameters })}`);

  return {
    createUser: (user) => asked('/api/admin/users', 'POST', user),
    createPasswordLink: (userId) => asked(`/api/admin/users/${encodeURIComponent(userId)}/password-link`, 'POST'),
    async listUsers() {
      const users: AdministeredUserBody[] = [];
      for (;;) {
        const { data, total } = await pageOf({ offset: String(users.length) });
        users.push(...data);
        if (data.length === 0 || users.length >= total) return users;
      }
    },
    changeUser: (userId, change) => asked(`/api/admin/users/${userId}`, 'PATCH', change),
    async userIdOf(email) {
      // The search also matches addresses that contain this one.
      const user = (await pageOf({ q: email })).data.find((found) => found.email === email.toLowerCase());
      if (user === undefined) throw new CommandError(`no user has the address ${email}`);
      return user.id;
    },
    createKey: (userId, key) => asked(keysOf(userId), 'POST', key),
    listKeys: (userId) => asked(keysOf(userId)),
    async revokeKey(keyId) {
      await server.request(`/api/admin/api-keys/${encodeURIComponent(keyId)}`, { method: 'DELETE' });
    },
    rotateKey: (keyId, rotation) => asked(`/api/admin/api-keys/${encodeURIComponent(keyId)}/rotate`, 'POST', rotation),
  };
}

function keysOf(userId: string): string {
  return `/api/admin/users/${encodeURIComponent(userId)}/api-keys`;
}
