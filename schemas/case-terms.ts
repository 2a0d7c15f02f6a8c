/** Constants of the case contract. No dependencies, because the console imports this file. */
export const CASE_STATUSES = ['open', 'in_progress', 'closed'] as const;
export const CASE_REASONS = ['resolved', 'false_positive', 'benign', 'duplicate'] as const;

export type CaseStatus = (typeof CASE_STATUSES)[number];
export type CaseReason = (typeof CASE_REASONS)[number];

/** Maximum number of detections per case. */
export const MAX_CASE_DETECTIONS = 1_000;
/** Maximum number of tasks per case. */
export const MAX_CASE_TASKS = 200;
/** Maximum number of files per case. */
export const MAX_CASE_FILES = 100;
/** Maximum size of a file of a case, in bytes. */
export const MAX_CASE_FILE_BYTES = 64 * 2 ** 20;
/** Maximum length of a comment, in characters. */
export const MAX_COMMENT_CHARACTERS = 10_000;
