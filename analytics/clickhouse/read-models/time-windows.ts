/** A time window in units of the list's first key: `from <= time < before`. An undefined end is open. */
export interface TimeWindow {
  readonly from: bigint | undefined;
  readonly before: bigint | undefined;
  readonly span: bigint;
}

const FIRST_SECONDS = 60n;
/** Size of the first window of a filtered list. Most rows of a window do not match, and each window costs a query. */
const FIRST_SECONDS_FILTERED = 16n * 60n;
const FACTOR = 4n;
/** Minimum growth factor after an empty window, because matching rows are rare. */
const FACTOR_AFTER_EMPTY = 16;
/** Maximum growth factor. A window is as long as the missing rows should take, times `MARGIN`. */
const MAX_FACTOR = 64;
const MARGIN = 1.5;
/**
 * A first window with fewer rows says little about the next one: it may begin in a silence, with frequent matches
 * before it.
 */
const FEW = 4;
const MAX_AFTER_FEW = 16;
/**
 * Maximum growth factor if rows are matched by wide texts. A long window before a silence would read all texts in it.
 */
const MAX_FACTOR_BY_TEXT = 8;
/** Size limit. The window after it has an open end. */
const MAX_SECONDS = 5n * 365n * 86_400n;

interface WindowOptions {
  readonly span?: bigint | undefined;
  readonly oldest?: bigint | undefined;
  readonly wanted?: number;
  readonly narrowed?: boolean;
  readonly byText?: boolean;
  readonly before?: bigint;
}

/**
 * Yields windows from the newest backwards. Each window is at least four times as long as the previous one. It is also
 * long enough for the missing rows of `wanted`, estimated from the rows in the previous window. The last window is
 * open.
 *
 * Reason: ClickHouse cannot read a table backwards in time if it is sorted by other columns. A query for the newest 50
 * events of a host would read all its rows. With windows, the time index limits each query.
 *
 * - The caller passes the number of rows in the previous window to `next`.
 * - Nothing before `oldest` is wanted.
 * - The first window has no upper end, so that it contains times in the future. If the rows from `before` on were
 *   already read, it ends there.
 * - The first window is longer if the list is filtered by more than time (`narrowed`).
 * - With `byText`, a window is at most eight times as long as the previous one.
 * - `span` is the size of the window that last served a walk, which the walk continues with.
 */
export function* timeWindows(
  newest: bigint,
  unit: bigint,
  { span, oldest, wanted = 0, narrowed = false, byText = false, before }: WindowOptions = {},
): Generator<TimeWindow, undefined, number> {
  let size = span === undefined ? (narrowed ? FIRST_SECONDS_FILTERED : FIRST_SECONDS) * unit : span / FACTOR + 1n;
  let end = before;
  let from = newest - size;
  let missing = wanted;
  const most = BigInt(byText ? MAX_FACTOR_BY_TEXT : MAX_FACTOR);
  for (let isFirst = true; ; isFirst = false) {
    if (size > MAX_SECONDS * unit || (oldest !== undefined && from <= oldest)) {
      yield { from: undefined, before: end, span: size > MAX_SECONDS * unit ? MAX_SECONDS * unit : size };
      return undefined;
    }
    const held: number = yield { from, before: end, span: size };
    end = from;
    missing -= held;
    const factor =
      held === 0
        ? factorAfterEmpty(wanted)
        : factorFor(missing / held, isFirst && held < FEW ? MAX_AFTER_FEW : MAX_FACTOR);
    size *= factor > most ? most : factor;
    from = end - size;
  }
}

/**
 * Returns the growth factor after an empty window. With less than one matching row per window, a page needs at least
 * `wanted` windows of this size.
 */
function factorAfterEmpty(wanted: number): bigint {
  return BigInt(Math.min(Math.max(wanted, FACTOR_AFTER_EMPTY), MAX_FACTOR));
}

function factorFor(windowsMissing: number, most: number): bigint {
  return BigInt(Math.ceil(Math.min(Math.max(windowsMissing * MARGIN, Number(FACTOR)), most)));
}

/**
 * Yields windows from the newest backwards that hold about `wanted` rows each, estimated from the previous window. The
 * caller passes its number of rows to `next`. Each window is read once as a whole. A window with too many rows would be
 * read again for every page.
 */
export function* fittingWindows(
  newest: bigint,
  unit: bigint,
  wanted: number,
): Generator<TimeWindow, undefined, number> {
  let span = FIRST_SECONDS * unit;
  let before: bigint | undefined;
  for (let from = newest - span; span <= MAX_SECONDS * unit; from -= span) {
    const held: number = yield { from, before, span };
    const factor = Math.min(Math.max(wanted / Math.max(held, 1), 0.25), Number(FACTOR));
    span = (span * BigInt(Math.round(factor * 1024))) / 1024n + 1n;
    before = from;
  }
  yield { from: undefined, before, span };
  return undefined;
}
