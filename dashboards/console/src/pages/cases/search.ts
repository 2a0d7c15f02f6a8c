import { parseCaseFigures } from '#schemas/api/case-figures.ts';
import { CASE_STATUSES } from '#schemas/case-terms.ts';
import { SEVERITIES } from '#schemas/detection-terms.ts';
import { defined } from '../../parts/defined.ts';
import { joinValues, splitValues } from '../../parts/filters/filter-values.ts';
import { choiceParam, textParam } from '../../parts/search-params.ts';
import { RANGE_NAMES, type TimeRange, timeParam } from '../../parts/time/time-range.ts';

export const STATUS_CHOICES = ['active', ...CASE_STATUSES, 'any'] as const;

/** Filters of the list of cases, as search parameters. Without a status: open and in progress. */
export interface CaseFilters extends TimeRange {
  readonly q?: string;
  readonly status?: (typeof STATUS_CHOICES)[number];
  readonly severity?: (typeof SEVERITIES)[number];
  readonly assignee?: string;
  /** Conditions on numbers, such as `detections>=3`. */
  readonly figures?: string;
  /** Excluded values, joined by commas. */
  readonly 'exclude.status'?: string;
  readonly 'exclude.severity'?: string;
  readonly 'exclude.assignee'?: string;
}

export const EXCLUSIONS = ['exclude.status', 'exclude.severity', 'exclude.assignee'] as const;

export function readCaseFilters(given: Record<string, unknown>): CaseFilters {
  return defined({
    q: textParam(given.q),
    status: choiceParam(given.status, STATUS_CHOICES),
    severity: choiceParam(given.severity, SEVERITIES),
    assignee: textParam(given.assignee),
    range: choiceParam(given.range, RANGE_NAMES),
    from: timeParam(given.from),
    to: timeParam(given.to),
    figures: figuresParam(given.figures),
    'exclude.status': valuesParam(given['exclude.status'], CASE_STATUSES),
    'exclude.severity': valuesParam(given['exclude.severity'], SEVERITIES),
    'exclude.assignee': textParam(given['exclude.assignee']),
  });
}

/** Omits malformed conditions. */
function figuresParam(value: unknown): string | undefined {
  const text = textParam(value);
  return text !== undefined && parseCaseFigures(text) !== undefined ? text : undefined;
}

/** Returns the known values. */
function valuesParam(value: unknown, known: readonly string[]): string | undefined {
  return joinValues(splitValues(textParam(value)).filter((one) => known.includes(one)));
}
