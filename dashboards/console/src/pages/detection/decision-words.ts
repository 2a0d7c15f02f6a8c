import type { VERDICTS } from '#schemas/detection-terms.ts';

export type Verdict = (typeof VERDICTS)[number];

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  true_positive: 'True positive: an attack',
  false_positive: 'False positive: the rule was mistaken',
  benign: 'Benign: it happened, and is allowed',
};

interface Decision {
  readonly status: string;
  readonly verdict: Verdict | null;
  readonly assignee: string | null;
}

/** A decision in words. */
export function decisionText({ status, verdict, assignee }: Decision): string {
  return [status, verdict?.replace('_', ' '), assignee === null ? 'assigned to nobody' : `assigned to ${assignee}`]
    .filter((part) => part !== undefined)
    .join(', ');
}
