import type { DetectionException } from '#analytics/detections/exception.ts';
import { layerSettings } from '#analytics/detections/layered-settings.ts';
import type { DetectionSettings } from '#analytics/detections/settings.ts';
import type { Db } from '#api/postgres/database.ts';
import { type ExceptionRow, heldExceptions } from '../tables/detection-exceptions.ts';
import { listRuleSettings } from '../tables/rule-settings.ts';
import { listUserRules } from '../tables/user-rules.ts';

/**
 * Reads the effective settings: those of administrators override `base`. `refused` lists rules whose settings are no
 * longer valid.
 */
export async function readSettings(db: Db, base: DetectionSettings): Promise<ReturnType<typeof layerSettings>> {
  const rules = await listRuleSettings(db);
  const exceptions = await heldExceptions(db);
  const userRules = (await listUserRules(db)).filter(({ enabled }) => enabled);
  return layerSettings(base, {
    rules: Object.fromEntries(rules.map(({ rule, settings }) => [rule, settings])),
    exceptions: exceptions.map(exceptionOf),
    userRules: userRules.map(({ id, source, version }) => ({ id, source, version })),
  });
}

/** Converts an exception row for the rules. */
export function exceptionOf({
  id,
  hostname,
  program,
  file,
  rule,
  expires,
  reason,
}: Pick<ExceptionRow, 'id' | 'hostname' | 'program' | 'file' | 'rule' | 'expires' | 'reason'>): DetectionException {
  return {
    id,
    ...(hostname === null ? {} : { hostname }),
    ...(program === null ? {} : { program }),
    ...(file === null ? {} : { file }),
    ...(rule === null ? {} : { rule }),
    expires,
    reason,
  };
}
