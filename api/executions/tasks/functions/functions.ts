import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import type { ChangeDecisions } from '#api/detections/triage/change-decisions.ts';
import type { Database } from '#api/postgres/database.ts';
import type { ScraperPipeline } from '#api/scrapers/pipeline.ts';
import type { Scraper } from '#api/scrapers/scraper.ts';
import { SCOPES } from '#schemas/api/roles.ts';
import { taskFailure } from '../failures.ts';
import { callScraper } from './call-scraper.ts';
import { detectionGet } from './detection-get.ts';
import { detectionList } from './detection-list.ts';
import { detectionUpdate } from './detection-update.ts';
import { eventList } from './event-list.ts';
import type { OwnerMay } from './owner-may.ts';
import type { BuiltInFunction, CallFunction } from './port.ts';

export interface FunctionDeps {
  readonly clickhouse: ClickHouse;
  readonly database: Database;
  /** See `createDecisionChanges`. */
  readonly changeDecisions: ChangeDecisions;
  readonly scraperPipeline: Pick<ScraperPipeline, 'call'>;
  readonly scrapers: readonly Scraper[];
  readonly ownerMay: OwnerMay;
}

/**
 * Creates the functions of the detection service for definitions and agents, which run with the rights of the
 * execution's owner.
 */
export function createFunctions(deps: FunctionDeps): CallFunction {
  const functions: readonly BuiltInFunction[] = [
    detectionGet(deps),
    detectionList(deps),
    detectionUpdate(deps),
    eventList(deps),
    callScraper(deps),
  ];
  const byName = new Map<string, BuiltInFunction>(functions.map((each) => [each.name, each]));

  return async (name, input, context) => {
    const called = byName.get(name);
    if (called === undefined) throw taskFailure('configuration', context.step, `there is no function ${name}`);
    if (!(await deps.ownerMay(context.ownerId, called.scope)))
      throw taskFailure('authorization', context.step, `${name} needs the role ${SCOPES[called.scope].role}`);
    const checked = called.input.safeParse(input);
    if (!checked.success) {
      const problems = checked.error.issues.map(({ path, message }) => `${path.join('.') || 'the input'}: ${message}`);
      throw taskFailure('validation', context.step, `${name}: ${problems.join('; ')}`);
    }
    return called.run(checked.data, context);
  };
}
