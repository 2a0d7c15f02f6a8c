import { startStatusReports } from '#ingest/detector/status-reports.ts';
import type { DetectProgram } from './detect.ts';

/** Returns the function that starts status reports to the server at `url` with this key. */
export function reportsTo(url: URL, apiKey: string, version: string): NonNullable<DetectProgram['startReports']> {
  const target = new URL('/api/detectors/status', url);
  return (source, progress, log) => startStatusReports({ url: target, apiKey, version, source }, progress, log);
}
