import type { QueryClient } from '@tanstack/react-query';

/** What an exception changes: the exceptions themselves, and the detections that it silences. */
const CHANGED_KEYS = ['exceptions', 'detection', 'detection-history', 'detections', 'detections-summary'];

/** Reads again what a new exception has changed. */
export async function refreshExceptions(queries: QueryClient): Promise<void> {
  await Promise.all(CHANGED_KEYS.map((key) => queries.invalidateQueries({ queryKey: [key] })));
}
