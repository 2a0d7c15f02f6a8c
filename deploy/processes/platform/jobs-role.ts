import type { DetectionSettings } from '#analytics/detections/settings.ts';
import { housekeepingHandlers } from '#api/accounts/housekeeping.ts';
import { warnOfExpiry } from '#api/accounts/keys/expiry-warnings.ts';
import { createMail } from '#api/accounts/mail/create-mail.ts';
import { hasMailServer } from '#api/accounts/mail/mail-config.ts';
import { createMailJobs } from '#api/accounts/mail/mail-jobs.ts';
import { MAIL_QUEUE } from '#api/accounts/mail/mail-request.ts';
import { createOneTimeCodes } from '#api/accounts/passwords/one-time-code.ts';
import { createOpenCampaignCases } from '#api/cases/campaigns/open-campaign-cases.ts';
import { createNoticeJobs } from '#api/cases/notify/notice-jobs.ts';
import { NOTICE_QUEUE } from '#api/cases/notify/notice-request.ts';
import { createPoolFleet } from '#api/detections/fleet/pool-fleet.ts';
import { readSettings } from '#api/detections/settings/read-settings.ts';
import { executionHousekeeping } from '#api/executions/engine/retention.ts';
import { createSeal } from '#api/executions/secrets/seal.ts';
import { componentStates } from '#api/http/component-states.ts';
import type { JobHandlers } from '#api/jobs/port.ts';
import { createJobQueue } from '#api/jobs/queue.ts';
import { createJobWorker } from '#api/jobs/worker.ts';
import { createCaseJobs } from '#api/outputs/cases/case-jobs.ts';
import { CASE_OUTPUT_QUEUE } from '#api/outputs/cases/notify-outputs.ts';
import { BACKGROUND_MIGRATIONS } from '#api/postgres/background/background-migration.ts';
import { runBackgroundMigrations } from '#api/postgres/background/run-background.ts';
import { createDatabase } from '#api/postgres/database.ts';
import { listProcessReports } from '#api/telemetry/processes/process-reports.ts';
import { noteStates } from '#api/telemetry/status/incidents.ts';
import { bulkActionHandlers } from '#api/workflows/bulk/run-bulk-action.ts';
import { compareVersions } from '#schemas/migration-name.ts';
import { PRODUCT_VERSION } from '#schemas/product-version.ts';
import { loadRuleSettings } from '../rule-settings.ts';
import { casesOf } from './cases-part.ts';
import type { ExecutionsPart } from './executions-part.ts';
import type { Foundation } from './foundation.ts';
import type { OutboundPart } from './outbound-part.ts';
import { reachOf } from './outputs-part.ts';
import { statusSources } from './status-part.ts';

/** A mail server that takes longer counts as unavailable. */
const MAIL_MS = 60_000;
/** Interval of the search for scans over several hosts. */
const FLEET_MS = 60_000;
/** Interval of the search for unfinished background migrations. */
const MIGRATIONS_MS = 60_000;
/** A process reports once a minute. One that is silent for longer has been killed. */
const SILENT_SECONDS = 180;
/** Interval of the checks of the installation's components. */
const STATUS_MS = 30_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Runs queued jobs until the process ends: emails, fleet-wide detection, and cleanup. */
export async function startJobs(
  foundation: Foundation,
  { executions, outbound }: { readonly executions: ExecutionsPart; readonly outbound: OutboundPart },
  publicUrl: string,
): Promise<void> {
  const { lifecycle, log, database, databaseUrl, isolationGate } = foundation;
  const rulesFile = await loadRuleSettings(foundation.config.rulesFile);
  const reach = await reachOf(foundation, outbound);
  await lifecycle.start('job worker', () => {
    const handlers = {
      ...handlersOf(foundation, executions, publicUrl),
      [CASE_OUTPUT_QUEUE]: {
        handle: createCaseJobs({ database, seal: createSeal(foundation.secrets.auth), reach }, { baseUrl: publicUrl }),
        timeoutMs: MAIL_MS,
      },
      ...fleetHandler(foundation, rulesFile),
      ...migrationHandler(foundation),
      ...statusHandler(foundation),
    };
    const worker = createJobWorker({ database, handlers, logger: log, listenUrl: databaseUrl, isolationGate });
    return { value: worker, stop: () => worker.stop(), takesWork: true };
  });
}

/**
 * Returns the handler that evaluates crashes of all hosts together. It then opens cases of campaigns, including those
 * that an earlier run did not reach.
 */
function fleetHandler(foundation: Foundation, rulesFile: DetectionSettings): JobHandlers {
  const { clickhouse, database, config } = foundation;
  const settings = async () => (await readSettings(database, rulesFile)).settings;
  const pool = createPoolFleet({ clickhouse, settings });
  const openCases = createOpenCampaignCases({ clickhouse, database, cases: casesOf(foundation) });
  return {
    'detections.fleet': {
      every: FLEET_MS,
      concurrency: 1,
      handle: async () => ({
        campaigns: await pool(),
        cases: config.platform.campaignCases ? await openCases() : 0,
      }),
    },
  };
}

/** Returns the handler that records failures and recoveries of components for the status page. */
function statusHandler(foundation: Foundation): JobHandlers {
  const { components } = statusSources(foundation);
  return {
    'status.watch': {
      every: STATUS_MS,
      concurrency: 1,
      async handle() {
        const states = await componentStates(components);
        await noteStates(foundation.database, states);
        return states;
      },
    },
  };
}

/**
 * Returns the handler of background migrations. It waits until all processes have this version, because older ones
 * still write in the old form.
 */
function migrationHandler({ databaseUrl: url }: Foundation): JobHandlers {
  if (BACKGROUND_MIGRATIONS.length === 0) return {};
  return {
    'migrations.background': {
      every: MIGRATIONS_MS,
      concurrency: 1,
      timeoutMs: HOUR_MS,
      async handle({ signal }) {
        // A step that creates an index may take long.
        const database = createDatabase({ url, connections: 1, statementTimeoutMs: HOUR_MS });
        try {
          const older = (await listProcessReports(database)).filter(
            ({ version, silentSeconds }) =>
              compareVersions(version, PRODUCT_VERSION) < 0 && silentSeconds <= SILENT_SECONDS,
          );
          if (older.length > 0) return { waitingFor: older.map(({ role, name }) => `${role} ${name}`) };
          return await runBackgroundMigrations(database, BACKGROUND_MIGRATIONS, signal);
        } finally {
          await database.destroy();
        }
      },
    },
  };
}

function handlersOf(
  { config, log, clickhouse, database, audit, secrets }: Foundation,
  { payloads, contents, executions }: ExecutionsPart,
  publicUrl: string,
): JobHandlers {
  const { platform } = config;
  const sendMail = createMail({ logger: log }, { ...platform.mail, production: platform.production });
  const mails = createMailJobs(
    { database, audit, codes: createOneTimeCodes({ secrets: secrets.auth }), sendMail },
    {
      baseUrl: publicUrl,
      registration: platform.registration.registration,
      codeTries: platform.limits.codeTries,
    },
  );
  return {
    [MAIL_QUEUE]: { handle: mails, timeoutMs: MAIL_MS },
    [NOTICE_QUEUE]: {
      handle: createNoticeJobs({ clickhouse, database, sendMail }, { baseUrl: publicUrl }),
      timeoutMs: MAIL_MS,
    },
    ...housekeepingHandlers({ database }),
    ...(hasMailServer(platform.mail)
      ? {
          'keys.expiry': {
            every: HOUR_MS,
            concurrency: 1,
            handle: async () => ({
              warned: await warnOfExpiry({ database, jobs: createJobQueue({ database, logger: log }) }),
            }),
          },
        }
      : {}),
    ...executionHousekeeping({ database, payloads }, { keepMs: config.retentionDays.executions * DAY_MS }),
    ...bulkActionHandlers({ database, executions, payloads }),
    'housekeeping.files': { every: HOUR_MS, concurrency: 1, handle: () => contents.deleteUnreferenced() },
  };
}
