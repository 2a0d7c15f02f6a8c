import { type Cases, createCases } from '#api/cases/cases.ts';
import { createComments } from '#api/cases/comments/comments.ts';
import { createNotices } from '#api/cases/notify/notices.ts';
import type { CaseRoutesDeps } from '#api/cases/routes/deps.ts';
import type { Contents } from '#api/executions/files/contents.ts';
import { createJobQueue } from '#api/jobs/queue.ts';
import { createNotifyOutputs } from '#api/outputs/cases/notify-outputs.ts';
import type { Foundation } from './foundation.ts';

/** Returns the operations on cases, for routes and for the job that opens cases of campaigns. */
export function casesOf(foundation: Foundation): Cases {
  const { clickhouse, database, audit } = foundation;
  const notifyOutputs = createNotifyOutputs({ jobs: createJobQueue({ database, logger: foundation.log }) });
  return createCases({ clickhouse, database, audit, notices: noticesOf(foundation), notifyOutputs });
}

/** Dependencies of the case routes. */
export function casesDeps(foundation: Foundation, contents: Contents, publicUrl: () => string): CaseRoutesDeps {
  const { clickhouse, database, audit } = foundation;
  return {
    clickhouse,
    database,
    audit,
    cases: casesOf(foundation),
    comments: createComments({ database, audit, notices: noticesOf(foundation) }),
    contents,
    publicUrl,
  };
}

/** Returns the function that queues emails about mentions and assignments. */
export function noticesOf({ database, log }: Pick<Foundation, 'database' | 'log'>) {
  return createNotices({ jobs: createJobQueue({ database, logger: log }) });
}
