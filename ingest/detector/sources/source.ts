/** An item that a source emits. */
export type SourceItem =
  | { readonly kind: 'lines'; readonly lines: readonly string[] }
  /** No data arrived for a while, so open events will not be continued. Emitted once per silence. */
  | { readonly kind: 'idle' }
  /** Records were overwritten before they were read: `lost` of them, null if unknown. */
  | { readonly kind: 'overrun'; readonly lost: number | null };

/** Ends at the end of the input, or soon after the signal is raised. Throws if the input cannot be read. */
export type KernelLogSource = (signal: AbortSignal) => AsyncIterable<SourceItem>;

/** Resolves after `ms`, or earlier if the signal is raised. Leaves no listener behind. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}
