/** The words of the contract of cases. No dependencies: the console imports this file alone. */
export const CASE_STATUSES = ['open', 'in_progress', 'closed'] as const;
export const CASE_REASONS = ['resolved', 'false_positive', 'benign', 'duplicate'] as const;

export type CaseStatus = (typeof CASE_STATUSES)[number];
export type CaseReason = (typeof CASE_REASONS)[number];

/** Detections of one case at most. */
export const MAX_CASE_DETECTIONS = 1_000;
/** Tasks of one case at most. */
export const MAX_CASE_TASKS = 200;
/** Files of one case at most. */
export const MAX_CASE_FILES = 100;
/** Bytes of one file of a case. */
export const MAX_CASE_FILE_BYTES = 64 * 2 ** 20;
/** Characters of a comment. */
export const MAX_COMMENT_CHARACTERS = 10_000;
