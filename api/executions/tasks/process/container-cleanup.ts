import type { ContainerEngine } from './container-engine.ts';

/** Label with the delay in ms from the end of a container to its removal. */
export const REMOVE_AFTER_LABEL = 'org.trapline.remove-after-ms';

/** Maximum delay until the next sweep. It covers failed removals and clock changes. */
const MAX_DELAY_MS = 3_600_000;
const SWEEP_MS = 30_000;

/** Removes containers some time after their end. */
export interface ContainerCleanup {
  /**
   * Removes containers that are due, including those of other processes, and schedules the next sweep. Never rejects.
   */
  sweep(): Promise<void>;
}

/**
 * Creates the cleanup. The removal times are labels of the containers, so the engine stores them. If a process is
 * killed, the next `run: container` of any process removes its containers.
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

/**
 * Removes the ended containers that are due. Resolves to the ms until the next one is due, or undefined if there is
 * none.
 */
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
