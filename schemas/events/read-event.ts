import { MAX_DEPTH, nestsDeeperThan } from '../json/depth.ts';
import type { IntegerProblem } from '../json/exact-integer.ts';
import { mayHoldLongNumber } from '../json/long-number.ts';
import { parseProblem } from '../json/parse-problem.ts';
import { pathOfMember } from '../json/path.ts';
import { restoreExact } from '../json/restore-exact.ts';
import type { RejectionReason } from '../rejection-codes.ts';
import type { ReadResult } from './accepted.ts';
import type { CompiledVersion } from './compile-version.ts';
import { explainViolation } from './explain-violation.ts';
import { compiledVersion } from './registry.ts';
import { reject } from './reject.ts';
import { lengthenSignals, type SignalDialect } from './signal-dialect.ts';
import { parseTimestamp } from './timestamp.ts';

export interface ReadEventOptions {
  /**
   * `short` also accepts the signal names that releases of the reference detector write, and converts them. Default
   * `v1`.
   */
  readonly signalDialect?: SignalDialect;
}

const INTEGER_CODES: Record<IntegerProblem, RejectionReason> = {
  not_an_integer: 'not_an_integer',
  negative: 'negative_integer',
  too_large: 'integer_out_of_range',
};

/**
 * Reads one event from its JSON text: parses it once, reads `version`, and validates against the compiled schema of
 * that version. Returns the internal event with exact 64-bit integers, or the first violation with code and path. Pure
 * function; never throws.
 */
export function readEvent(text: string, options?: ReadEventOptions): ReadResult {
  return readVersioned(text, options, () => {});
}

/** As `readEvent`, and calls `accepted` with the version and the event before `upcast`. */
export function readVersioned(
  text: string,
  options: ReadEventOptions | undefined,
  accepted: (version: CompiledVersion, event: object) => void,
): ReadResult {
  if (nestsDeeperThan(text, MAX_DEPTH)) return reject('nested_too_deep', '$', `at most ${MAX_DEPTH} levels`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return reject('malformed_json', '$', parseProblem(error, text));
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return reject('not_an_object');

  const named = (parsed as { version?: unknown }).version;
  if (typeof named !== 'string') {
    return named === undefined ? reject('version_missing', '$.version') : reject('version_not_a_string', '$.version');
  }
  const version = compiledVersion(named);
  if (!version) return reject('version_unknown', '$.version');

  if (options?.signalDialect === 'short') lengthenSignals(parsed);
  const checked = version.check(parsed);
  if (!checked.valid) return explainViolation(parsed, checked.error);
  if (checked.inexact || mayHoldLongNumber(text)) {
    const refused = restoreExact(text, parsed, version.exactFields);
    if (refused) return reject(INTEGER_CODES[refused.problem], pathOfMember(parsed, refused.holder, refused.name));
  }

  const event = version.upcast(parsed);
  const time = parseTimestamp(event.timestamp);
  if (!time) throw new Error('the validator accepted a timestamp that cannot be read');
  accepted(version, parsed);
  return { ok: true, event, time };
}
