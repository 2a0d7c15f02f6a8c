import type { DetectionSettings } from '#analytics/detections/settings.ts';
import { readRule } from '#analytics/detections/user-rules/read-rule.ts';
import { refusalText } from '#analytics/detections/user-rules/refusal.ts';
import { USER_RULE_PREFIX } from '#analytics/detections/user-rules/user-rule-id.ts';
import { entityTag } from '#api/http/responses/entity-tag.ts';
import type { Database } from '#api/postgres/database.ts';
import { listUserRules } from '../tables/user-rules.ts';

interface ListedSource {
  readonly id: string;
  readonly source: string;
  readonly version: number;
  readonly enabled: boolean;
  readonly revision: number;
  /** Actor of the last change. Null for a rule of the rules file. */
  readonly author: string | null;
}

/** Lists user rules in the form of the rule catalogue: those of the rules file, then the pushed ones, enabled and disabled. */
export async function listUserRulesAsRules(base: DetectionSettings, database: Database | undefined) {
  const ofFile = base.userRules.map(
    ({ source, version }, index): ListedSource => ({
      id: idInFile(source, index),
      source,
      version,
      enabled: true,
      revision: 0,
      author: null,
    }),
  );
  const pushed = database === undefined ? [] : await listUserRules(database);
  return [...ofFile, ...pushed.map((row): ListedSource => ({ ...row, author: row.changedBy }))].map(listed);
}

/**
 * Returns the id in the source of a rule of the rules file. For a source that cannot be parsed, returns an id from its
 * position in the file, from 1.
 */
function idInFile(source: string, index: number): string {
  const read = readRule(source);
  return read.ok ? read.rule.id : `${USER_RULE_PREFIX}unreadable-${index + 1}`;
}

function listed({ id, source, version, enabled, revision, author }: ListedSource) {
  const read = readRule(source);
  const { title, severity, attack, description, falsePositives } = read.ok ? read.rule : unreadable(id);
  return {
    id,
    version,
    name: title,
    severity,
    registers: [],
    attack: [...attack],
    summary: read.ok
      ? description || title
      : `Not in use, as this version of Trapline refuses it: ${refusalText(read.refusal)}`,
    runbook: { nextChecks: [], falsePositives: [...falsePositives] },
    statistics: null,
    enabled: enabled && read.ok,
    thresholds: [],
    etag: entityTag(revision),
    origin: 'user' as const,
    author,
  };
}

function unreadable(id: string) {
  return { title: id, severity: 'medium' as const, attack: [], description: '', falsePositives: [] };
}
