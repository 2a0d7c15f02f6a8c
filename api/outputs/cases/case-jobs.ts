import { caseRecord } from '#api/cases/records/records.ts';
import { findCase } from '#api/cases/tables/cases.ts';
import type { Seal } from '#api/executions/secrets/seal.ts';
import { type JobHandler, JobPostponed, PermanentJobFailure } from '#api/jobs/port.ts';
import type { Database } from '#api/postgres/database.ts';
import { SEVERITIES } from '#schemas/detection.ts';
import { openOutput } from '../open-output.ts';
import { OutputFailure } from '../port.ts';
import type { OutputReach } from '../reach.ts';
import { findOutput } from '../tables/outputs.ts';
import type { CaseMessage } from './case-message.ts';
import { caseOutputSchema } from './notify-outputs.ts';

export interface CaseJobsDeps {
  readonly database: Database;
  readonly seal: Seal;
  readonly reach: OutputReach;
}

const DELIVERY_MS = 30_000;

/**
 * Creates the handler of the queue `case-output`, which sends one message about a case to one output. Delivery is at
 * least once and not always in order. Each message contains the whole case in its state at the time of sending.
 */
export function createCaseJobs(
  { database, seal, reach }: CaseJobsDeps,
  /** Public URL of the server, without a trailing slash. */
  { baseUrl }: { readonly baseUrl: string },
): JobHandler {
  return async ({ payload, signal }) => {
    const { outputId, caseId, seq, cause, at } = caseOutputSchema.parse(payload);
    const [row, found] = await Promise.all([findOutput(database, outputId), findCase(database, caseId)]);
    if (row === undefined || found === undefined || !row.enabled) return { sent: false };
    const { minSeverity = 'info', cases = [] } = row.filter;
    if (!cases.includes(cause) || SEVERITIES.indexOf(found.severity) < SEVERITIES.indexOf(minSeverity))
      return { sent: false };
    const message: CaseMessage = {
      id: `${caseId}:${seq}:${cause}`,
      cause,
      at: new Date(at),
      case: caseRecord(found),
      link: `${baseUrl}/cases/${caseId}`,
    };
    try {
      const output = openOutput({ reach, seal }, row);
      try {
        await output.deliverCase?.(message, AbortSignal.any([signal, AbortSignal.timeout(DELIVERY_MS)]));
      } finally {
        await output.close();
      }
    } catch (error) {
      if (!(error instanceof OutputFailure)) throw error;
      if (error.kind === 'permanent') throw new PermanentJobFailure(error.message);
      if (error.retryAfterMs !== undefined) throw new JobPostponed(error.message, error.retryAfterMs);
      throw error;
    }
    return { sent: true };
  };
}
