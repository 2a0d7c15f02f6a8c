import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { may, type Profile } from '../../api/session.ts';
import type { WhatIsThere } from './next-step.ts';
import { TEST_HOST } from './test-event.ts';

/** Hosts of the bundled attack and of the test event. */
const OURS: readonly (string | null)[] = ['demo', TEST_HOST];

export function whatIsThere(profile: Profile) {
  const reads = may(profile, 'analyst');
  return queryOptions({
    queryKey: ['first-steps', profile.id, profile.role],
    queryFn: async ({ signal }): Promise<WhatIsThere> => {
      const [keys, workflows, hosts] = await Promise.all([
        call('get', '/api/user/api-keys', { signal }),
        call('get', '/api/v1/workflows', { signal, query: { limit: 1 } }),
        reads ? call('get', '/api/hosts', { signal, query: { limit: OURS.length + 1 } }) : undefined,
      ]);
      return {
        keys: keys.data.filter(({ revoked }) => !revoked).length,
        workflows: workflows.data.length > 0,
        events: hosts && hosts.data.length > 0,
        detector: hosts?.data.some(({ hostname }) => !OURS.includes(hostname)),
      };
    },
    // Users switch to a terminal and back, so the state is refetched on focus.
    refetchOnWindowFocus: true,
  });
}
