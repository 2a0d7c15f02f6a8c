import { setTimeout as delay } from 'node:timers/promises';
import type { ComponentChecks, ComponentState } from './ports.ts';

/** A component that does not say how it is within this time is down. */
const CHECK_TIMEOUT_MS = 2_000;

/** Asks each component how it is, side by side. Never rejects: one that fails or stays silent is down. */
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
