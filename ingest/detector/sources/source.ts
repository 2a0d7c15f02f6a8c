/** What a source has to say next. */
export type SourceItem =
  | { readonly kind: 'lines'; readonly lines: readonly string[] }
  /** Nothing came for a while: what is still open will not be continued. Said once for each silence. */
  | { readonly kind: 'idle' }
  /** Records were overwritten before they could be read; `lost` of them, where the source knows. */
  | { readonly kind: 'overrun'; readonly lost: number | null };

/** Ends at the end of the input, or soon after the signal is raised. Throws when the input cannot be read. */
export type KernelLogSource = (signal: AbortSignal) => AsyncIterable<SourceItem>;

/** A pause that ends early when the signal is raised. Keeps no listener behind. */
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
