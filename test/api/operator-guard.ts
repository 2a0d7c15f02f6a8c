import type { GuardDeps } from '#api/http/plugins/guard.ts';

export const OPERATOR_KEY = `operator.${'k'.repeat(43)}`;
export const ADMIN_KEY = 'admin-key-of-the-tests-0123456789';

/** Admits only the operator, without a rate limit: for tests of routes behind the guard. */
export function operatorGuard(): GuardDeps {
  return {
    clientAddress: (connection) => connection,
    limits: {
      refuseBlocked: async () => undefined,
      async checkKey(_address, verify) {
        const found = await verify();
        return found === undefined ? {} : { found };
      },
      count: async () => ({ headers: {} }),
      countUnknown: () => undefined,
    },
    polls: { count: async () => ({ headers: {} }) },
    isOperator: (key) => (key === OPERATOR_KEY ? { kind: 'operator', role: 'admin', keyId: 'operator' } : undefined),
    verifyKey: async () => undefined,
    sessionCookie: 'trapline-session',
    authenticateSession: async () => undefined,
    adminKey: ADMIN_KEY,
    report: () => {},
  };
}
