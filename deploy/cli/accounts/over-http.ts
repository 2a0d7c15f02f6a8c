import { CommandError } from '../command-error.ts';
import type { ServerConnection } from '../server-connection.ts';
import type { Accounts } from './accounts.ts';

/** Accounts and keys of a running server, by its administration routes. */
export function accountsOverHttp(server: ServerConnection): Accounts {
  const asked = async <T>(path: string, body?: object): Promise<T> => {
    const headers = { 'content-type': 'application/json' };
    const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
    return (await server.request(path, init)).json() as Promise<T>;
  };
  return {
    createUser: (user) => asked('/api/admin/users', user),
    userIdOf: (email) => findUserId(server, email),
    createKey: (userId, key) => asked(keysOf(userId), key),
    listKeys: (userId) => asked(keysOf(userId)),
    async revokeKey(keyId) {
      await server.request(`/api/admin/api-keys/${encodeURIComponent(keyId)}`, { method: 'DELETE' });
    },
  };
}

/** The id of the user who has exactly this address: the server's search also finds addresses that only contain it. */
export async function findUserId(server: ServerConnection, email: string): Promise<string> {
  const response = await server.request(`/api/admin/users?${new URLSearchParams({ q: email, limit: '100' })}`);
  const { data } = (await response.json()) as { data: { id: string; email: string }[] };
  const user = data.find((found) => found.email === email.toLowerCase());
  if (user === undefined) throw new CommandError(`no user has the address ${email}`);
  return user.id;
}

function keysOf(userId: string): string {
  return `/api/admin/users/${encodeURIComponent(userId)}/api-keys`;
}
