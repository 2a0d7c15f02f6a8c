/** A stretch of time in units of the list's first key: `from <= time < before`, open where undefined. */
export interface TimeWindow {
  readonly from: bigint | undefined;
  readonly before: bigint | undefined;
  readonly span: bigint;
}

const FIRST_SECONDS = 60n;
/** Of lists that are narrowed: most of what such a window holds is not looked for, and each window costs a query. */
const FIRST_SECONDS_OF_SOME = 16n * 60n;
const FACTOR = 4n;
/** After a window that held nothing, at least: what is looked for is rare. */
const FACTOR_OF_EMPTY = 16;
/** What is rare but there is looked for as far back as it should take, and half as far again. */
const MAX_FACTOR = 64;
const ROOM = 1.5;
/** A first window with so few says little of the next: it may begin in a silence, and what is looked for be frequent before that. */
const FEW = 4;
const MAX_AFTER_FEW = 16;
/** Of what is found by reading wide texts: to look far past the beginning of a silence would read all there is before it. */
const MAX_OF_TEXTS = 8;
/** A second-to-last window that reaches this far back is followed by all the rest. */
const LAST_SECONDS = 5n * 365n * 86_400n;

interface WindowOptions {
  readonly span?: bigint | undefined;
  readonly oldest?: bigint | undefined;
  readonly wanted?: number;
  readonly narrowed?: boolean;
  readonly byText?: boolean;
  readonly before?: bigint;
}

/**
 * Windows from the newest backwards, each at least four times as long as the one before, and as long as the rows that are still missing of `wanted` should
 * take by how many it held; the last one open. ClickHouse cannot read a table backwards
 * in time when it is sorted otherwise: asked for the newest 50 of a host it would look at all its rows. Asked window by window it
 * reads what the index on the time leaves. `next` receives how many rows the window before held; from `oldest` on backwards nothing is wanted. The first window has no upper end: it also holds what claims to be of the
 * future, unless what is not `before` an instant was looked at already; it is longer when the list is `narrowed` by more than time. One that is found
 * `byText` is never followed by one more than eight times as long. `span` continues a walk with the size that served it last.
 */
export function* timeWindows(
  newest: bigint,
  unit: bigint,
  { span, oldest, wanted = 0, narrowed = false, byText = false, before }: WindowOptions = {},
): Generator<TimeWindow, undefined, number> {
  let size = span === undefined ? (narrowed ? FIRST_SECONDS_OF_SOME : FIRST_SECONDS) * unit : span / FACTOR + 1n;
  let end = before;
  let from = newest - size;
  let missing = wanted;
  const most = BigInt(byText ? MAX_OF_TEXTS : MAX_FACTOR);
  for (let isFirst = true; ; isFirst = false) {
    if (size > LAST_SECONDS * unit || (oldest !== undefined && from <= oldest)) {
      yield { from: undefined, before: end, span: size > LAST_SECONDS * unit ? LAST_SECONDS * unit : size };
      return undefined;
    }
    const held: number = yield { from, before: end, span: size };
    end = from;
    missing -= held;
    const factor =
      held === 0
        ? factorOfEmpty(wanted)
        : factorFor(missing / held, isFirst && held < FEW ? MAX_AFTER_FEW : MAX_FACTOR);
    size *= factor > most ? most : factor;
    from = end - size;
  }
}

/** What is there less than once in a window fills a page in no fewer than so many of them. */
function factorOfEmpty(wanted: number): bigint {
  return BigInt(Math.min(Math.max(wanted, FACTOR_OF_EMPTY), MAX_FACTOR));
}

function factorFor(windowsMissing: number, most: number): bigint {
  return BigInt(Math.ceil(Math.min(Math.max(windowsMissing * ROOM, Number(FACTOR)), most)));
}

/**
 * Windows from the newest backwards that hold about `wanted` rows each, by how many the one before held: `next` receives that. Read whole, they are read
 * once, where windows that hold too many would be read again for every page.
 */
export function* fittingWindows(
  newest: bigint,
  unit: bigint,
  wanted: number,
): Generator<TimeWindow, undefined, number> {
  let span = FIRST_SECONDS * unit;
  let before: bigint | undefined;
  for (let from = newest - span; span <= LAST_SECONDS * unit; from -= span) {
    const held: number = yield { from, before, span };
    const factor = Math.min(Math.max(wanted / Math.max(held, 1), 0.25), Number(FACTOR));
    span = (span * BigInt(Math.round(factor * 1024))) / 1024n + 1n;
    before = from;
  }
  yield { from: undefined, before, span };
  return undefined;
}
