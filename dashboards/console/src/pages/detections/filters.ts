import { DETECTION_STATUSES, SEVERITIES } from '#schemas/detection-terms.ts';
import { defined } from '../../parts/defined.ts';
import { choiceParam, ruleIdParam, textParam } from '../../parts/search-params.ts';
import { endsOf, RANGE_NAMES, type TimeRange, timeParam } from '../../parts/time-range.ts';
import type { Detection } from '../detection/detection-types.ts';

/** Filters of the list of detections, as the address holds them. */
export interface DetectionFilters extends TimeRange {
  readonly status?: (typeof DETECTION_STATUSES)[number] | undefined;
  readonly severity?: (typeof SEVERITIES)[number] | undefined;
  readonly rule?: string | undefined;
  readonly hostname?: string | undefined;
  readonly procname?: string | undefined;
  readonly executable?: string | undefined;
  readonly parent?: string | undefined;
  readonly unit?: string | undefined;
  readonly container?: string | undefined;
  readonly pod?: string | undefined;
  readonly q?: string | undefined;
}

/** Reads the filters of an address. Invalid values are ignored. */
export function readDetectionFilters(search: Readonly<Record<string, unknown>>): DetectionFilters {
  return defined({
    status: choiceParam(search.status, DETECTION_STATUSES),
    severity: choiceParam(search.severity, SEVERITIES),
    rule: ruleIdParam(search.rule),
    hostname: textParam(search.hostname),
    procname: textParam(search.procname),
    executable: textParam(search.executable),
    parent: textParam(search.parent),
    unit: textParam(search.unit),
    container: textParam(search.container),
    pod: textParam(search.pod),
    q: textParam(search.q),
    range: choiceParam(search.range, RANGE_NAMES),
    from: timeParam(search.from),
    to: timeParam(search.to),
  });
}

/** Query parameters of the API for these filters. */
export function detectionsQuery({ range, from, to, ...filters }: DetectionFilters, nowMs: number) {
  return { ...defined(filters), ...endsOf({ range, from, to }, nowMs) };
}

/** True when both have the same values. */
export function sameFilters(a: DetectionFilters, b: DetectionFilters): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof DetectionFilters>;
  return [...names].every((name) => a[name] === b[name]);
}

/** Whether a new detection can belong to the list, by status and time. Only the API can evaluate `q`. */
export function mayBelong(
  detection: Pick<Detection, 'status' | 'lastSeen'>,
  { status, from, to }: DetectionFilters,
): boolean {
  const last = Date.parse(detection.lastSeen);
  return (
    (status === undefined || detection.status === status) &&
    (from === undefined || last >= Date.parse(from)) &&
    (to === undefined || last < Date.parse(to))
  );
}
