import { Gauge, type Registry } from 'prom-client';
import { componentStates } from './component-states.ts';
import type { ComponentChecks } from './ports.ts';

/** What `/readyz` says, as a metric: whoever watches many processes is told which of them misses what, and since when. */
export function observeComponents(registry: Registry, components: ComponentChecks): void {
  new Gauge({
    name: 'trapline_component_up',
    help: 'Of what this process depends on: 1 when it works, 0 while it is away or does less than it should.',
    labelNames: ['component'],
    registers: [registry],
    async collect() {
      for (const [component, state] of Object.entries(await componentStates(components)))
        this.set({ component }, state === 'ok' ? 1 : 0);
    },
  });
}
