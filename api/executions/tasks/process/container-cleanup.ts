import type { ContainerEngine } from './container-engine.ts';

/** Milliseconds after its end at which a container is removed. */
export const REMOVE_AFTER_LABEL = 'org.trapline.remove-after-ms';

/** A removal that did not succeed, and a clock that changed, are tried again after this time. */
const MAX_DELAY_MS = 3_600_000;
const SWEEP_MS = 30_000;

/** Removes containers that ended some time ago. */
export interface ContainerCleanup {
  /** Removes those that are due, also of other processes, and comes back when the next one is. Never rejects. */
  sweep(): Promise<void>;
}

/**
 * The engine keeps the times: its containers have them as labels. So a process that is killed loses no removal; the next `run: container` of any
 * process does it.
 */
export function createContainerCleanup(engine: Pick<ContainerEngine, 'json'>, now = Date.now): ContainerCleanup {
  let timer: NodeJS.Timeout | undefined;

  async function sweep(): Promise<void> {
    clearTimeout(timer);
    const next = await removeDue(engine, now(), AbortSignal.timeout(SWEEP_MS)).catch(() => MAX_DELAY_MS);
    if (next === undefined) return;
    timer = setTimeout(() => void sweep(), Math.min(next, MAX_DELAY_MS));
    timer.unref();
  }

  return { sweep };
}

/** Removes the ended containers that are due. Resolves to the milliseconds until the next one is, or undefined when no other waits. */
export async function removeDue(
  engine: Pick<ContainerEngine, 'json'>,
  now: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  const filters = encodeURIComponent(JSON.stringify({ label: [REMOVE_AFTER_LABEL], status: ['exited', 'dead'] }));
  const found = (await engine.json('GET', `/containers/json?all=true&filters=${filters}`, undefined, signal)) as
    | { readonly Id: string; readonly Labels?: Readonly<Record<string, string>> }[]
    | undefined;
  let next: number | undefined;
  for (const { Id: id, Labels: labels } of found ?? []) {
    const after = Number(labels?.[REMOVE_AFTER_LABEL]);
    const { State: state } = (await engine.json('GET', `/containers/${id}/json`, undefined, signal)) as {
      State?: { FinishedAt?: string };
    };
    const left = Date.parse(state?.FinishedAt ?? '') + after - now;
    if (Number.isNaN(left)) continue;
    if (left <= 0) await engine.json('DELETE', `/containers/${id}?force=true&v=true`, undefined, signal);
    else next = Math.min(left, next ?? left);
  }
  return next;
}
