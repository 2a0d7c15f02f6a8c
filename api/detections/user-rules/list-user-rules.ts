import type { DetectionSettings } from '#analytics/detections/settings.ts';
import { readRule } from '#analytics/detections/user-rules/read-rule.ts';
import { refusalText } from '#analytics/detections/user-rules/refusal.ts';
import { entityTag } from '#api/http/entity-tag.ts';
import type { Database } from '#api/postgres/database.ts';
import { listUserRules } from '../tables/user-rules.ts';

interface ListedSource {
  /** Undefined for a rule of the rules file, whose text names it. */
  readonly id?: string;
  readonly source: string;
  readonly version: number;
  readonly enabled: boolean;
  readonly revision: number;
  /** Actor of the last change; null for a rule of the rules file. */
  readonly author: string | null;
}

/** The rules of users as the catalogue of rules lists them: those of the rules file, then those that were pushed, on and off. */
export async function listUserRulesAsRules(base: DetectionSettings, database: Database | undefined) {
  const ofFile = base.userRules.map((row): ListedSource => ({ ...row, enabled: true, revision: 0, author: null }));
  const pushed = database === undefined ? [] : await listUserRules(database);
  return [...ofFile, ...pushed.map((row): ListedSource => ({ ...row, author: row.changedBy }))].map(listed);
}

function listed({ id: given, source, version, enabled, revision, author }: ListedSource) {
  const read = readRule(source);
  const id = given ?? (read.ok ? read.rule.id : 'user-unreadable');
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
