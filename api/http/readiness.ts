import { componentStates } from './component-states.ts';
import type { ComponentChecks, ComponentState } from './ports.ts';

export interface ReadinessParts {
  /** Components that the process shares with other processes, such as stores. */
  readonly components: ComponentChecks;
  /** Components of this process only. */
  readonly own: ComponentChecks;
  /** True from the stop signal on. */
  readonly isDraining: () => boolean;
}

export interface Readiness {
  /** `down`: no requests should be routed to this process. */
  readonly status: ComponentState;
  readonly components: Readonly<Record<string, ComponentState>>;
}

/**
 * Returns a function that decides whether this process should receive requests. It should not while it drains, while
 * one of its own components is down, and until each required component has worked once. A shared component that fails
 * later affects all processes equally, so the process stays ready. A load balancer without any process could not even
 * respond with 503 and `Retry-After`.
 */
export function createReadiness({ components, own, isDraining }: ReadinessParts): () => Promise<Readiness> {
  const haveWorked = new Set<string>();
  return async () => {
    const [shared, ofProcess] = await Promise.all([componentStates(components), componentStates(own)]);
    for (const [name, state] of Object.entries(shared)) if (state !== 'down') haveWorked.add(name);
    const all = { ...shared, ...ofProcess };
    const isMissing = Object.keys(shared).some((name) => !haveWorked.has(name));
    const isBroken = Object.values(ofProcess).includes('down');
    if (isDraining() || isMissing || isBroken) return { status: 'down', components: all };
    return { status: Object.values(all).every((state) => state === 'ok') ? 'ok' : 'degraded', components: all };
  };
}
