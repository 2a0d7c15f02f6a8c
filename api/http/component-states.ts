import { setTimeout as delay } from 'node:timers/promises';
import type { ComponentChecks, ComponentState } from './ports.ts';

/** Time after which a component without an answer counts as down. */
const CHECK_TIMEOUT_MS = 2_000;

/** Checks all components concurrently. Never rejects: a component that fails or times out is down. */
export async function componentStates(components: ComponentChecks): Promise<Record<string, ComponentState>> {
  return Object.fromEntries(
    await Promise.all(Object.entries(components).map(async ([name, check]) => [name, await stateOf(check)] as const)),
  );
}

async function stateOf(check: ComponentChecks[string]): Promise<ComponentState> {
  try {
    return await Promise.race([check(), delay(CHECK_TIMEOUT_MS, 'down' as const, { ref: false })]);
  } catch {
    return 'down';
  }
}
