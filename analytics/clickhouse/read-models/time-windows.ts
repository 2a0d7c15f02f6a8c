/** A stretch of time in units of the list's first key: `from <= time < before`, open where undefined. */
export interface TimeWindow {
  readonly from: bigint | undefined;
  readonly before: bigint | undefined;
  readonly span: bigint;
}

const FIRST_SECONDS = 60n;
const FACTOR = 4n;
/** A second-to-last window that reaches this far back is followed by all the rest. */
const LAST_SECONDS = 5n * 365n * 86_400n;

/**
 * Windows from the newest backwards, each four times as long as the one before, the last one open. ClickHouse cannot read a table backwards
 * in time when it is sorted otherwise: asked for the newest 50 of a host it would look at all its rows. Asked window by window it
 * looks at what the index on the time leaves. The first window has no upper end: it also holds what claims to be of the
 * future. `span` continues a walk with the size that served it last.
 */
export function* timeWindows(newest: bigint, unit: bigint, span?: bigint): Generator<TimeWindow> {
  let size = span === undefined ? FIRST_SECONDS * unit : span / FACTOR + 1n;
  let before: bigint | undefined;
  let from = newest - size;
  for (;;) {
    if (size > LAST_SECONDS * unit) {
      yield { from: undefined, before, span: LAST_SECONDS * unit };
      return;
    }
    yield { from, before, span: size };
    before = from;
    size *= FACTOR;
    from = before - size;
  }
}
