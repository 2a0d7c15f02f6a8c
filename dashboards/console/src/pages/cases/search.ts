import { CASE_STATUSES } from '#schemas/case-terms.ts';
import { SEVERITIES } from '#schemas/detection-terms.ts';
import { defined } from '../../parts/defined.ts';
import { choiceParam, textParam } from '../../parts/search-params.ts';

export const STATUS_CHOICES = ['active', ...CASE_STATUSES, 'any'] as const;

/** Filters of the list of cases, as the address has them. Without a status: open and in progress. */
export interface CaseFilters {
  readonly q?: string;
  readonly status?: (typeof STATUS_CHOICES)[number];
  readonly severity?: (typeof SEVERITIES)[number];
  readonly assignee?: string;
}

export function readCaseFilters(given: Record<string, unknown>): CaseFilters {
  return defined({
    q: textParam(given.q),
    status: choiceParam(given.status, STATUS_CHOICES),
    severity: choiceParam(given.severity, SEVERITIES),
    assignee: textParam(given.assignee),
  });
}
