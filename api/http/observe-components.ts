import { Gauge, type Registry } from 'prom-client';
import { componentStates } from './component-states.ts';
import type { ComponentChecks } from './ports.ts';

/** Exports the result of `/readyz` as a metric: which component of which process is unavailable, and since when. */
export function observeComponents(registry: Registry, components: ComponentChecks): void {
  new Gauge({
    name: 'trapline_component_up',
    help: '1 while the component works, 0 while it is unavailable or degraded.',
    labelNames: ['component'],
    registers: [registry],
    async collect() {
      for (const [component, state] of Object.entries(await componentStates(components)))
        this.set({ component }, state === 'ok' ? 1 : 0);
    },
  });
}
