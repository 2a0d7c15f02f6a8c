import type { DetectionSettings } from '#analytics/detections/settings.ts';
import { housekeepingHandlers } from '#api/accounts/housekeeping.ts';
import { createMail } from '#api/accounts/mail/create-mail.ts';
import { createMailJobs } from '#api/accounts/mail/mail-jobs.ts';
import { MAIL_QUEUE } from '#api/accounts/mail/mail-request.ts';
import { createOneTimeCodes } from '#api/accounts/passwords/one-time-code.ts';
import { createPoolFleet } from '#api/detections/fleet/pool-fleet.ts';
import { readSettings } from '#api/detections/settings/read-settings.ts';
import { executionHousekeeping } from '#api/executions/engine/retention.ts';
import type { JobHandlers } from '#api/jobs/port.ts';
import { createJobWorker } from '#api/jobs/worker.ts';
import { loadRuleSettings } from '../rule-settings.ts';
import type { ExecutionsPart } from './executions-part.ts';
import type { Foundation } from './foundation.ts';

/** A mail server that takes longer than this counts as unavailable. */
const MAIL_MS = 60_000;
/** Period of the search for scans over several hosts. */
const FLEET_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Does the work that is queued, until the process ends: mails, judging crashes of all hosts together, and taking away what is over. */
export async function startJobs(foundation: Foundation, part: ExecutionsPart, publicUrl: string): Promise<void> {
  const { lifecycle, log, database, databaseUrl, isolationGate } = foundation;
  const rulesFile = await loadRuleSettings(foundation.config.rulesFile);
  await lifecycle.start('job worker', () => {
    const handlers = { ...handlersOf(foundation, part, publicUrl), ...fleetHandler(foundation, rulesFile) };
    const worker = createJobWorker({ database, handlers, logger: log, listenUrl: databaseUrl, isolationGate });
    return { value: worker, stop: () => worker.stop(), takesWork: true };
  });
}

function fleetHandler({ clickhouse, database }: Foundation, rulesFile: DetectionSettings): JobHandlers {
  const settings = async () => (await readSettings(database, rulesFile)).settings;
  const pool = createPoolFleet({ clickhouse, settings });
  return {
    'detections.fleet': {
      every: FLEET_MS,
      concurrency: 1,
      handle: async () => ({ campaigns: await pool(Date.now()) }),
    },
  };
}

function handlersOf(
  { config, log, database, audit, secrets }: Foundation,
  { payloads, contents }: ExecutionsPart,
  publicUrl: string,
): JobHandlers {
  const { platform } = config;
  const mails = createMailJobs(
    {
      database,
      audit,
      codes: createOneTimeCodes({ secrets: secrets.auth }),
      sendMail: createMail({ logger: log }, { ...platform.mail, production: platform.production }),
    },
    {
      baseUrl: publicUrl,
      registration: platform.registration.registration,
      codeTries: platform.limits.codeTries,
    },
  );
  return {
    [MAIL_QUEUE]: { handle: mails, timeoutMs: MAIL_MS },
    ...housekeepingHandlers({ database }),
    ...executionHousekeeping({ database, payloads }, { keepMs: config.retentionDays.executions * DAY_MS }),
    'housekeeping.files': { every: HOUR_MS, concurrency: 1, handle: () => contents.deleteUnreferenced() },
  };
}
