import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { getDetections } from '#analytics/clickhouse/read-models/detections.ts';
import { entityTag, mayChange } from '#api/http/responses/entity-tag.ts';
import type { Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { CaseChange, NewCase } from '#schemas/api/cases.ts';
import { MAX_CASE_DETECTIONS } from '#schemas/case-terms.ts';
import { type CaseEvidence, createCaseEvidence } from './case-evidence.ts';
import { CaseRefused } from './case-refused.ts';
import { changeCase, highestSeverity } from './case-rules.ts';
import { type CaseTasks, createCaseTasks } from './case-tasks.ts';
import { titleOfDetection } from './case-title.ts';
import { afterOnly, type CaseTransactionsDeps, createCaseTransactions, diffOf, entryOf } from './case-transactions.ts';
import type { CaseChangedBy } from './changed-by.ts';
import { newId } from './new-id.ts';
import { insertTasks } from './tables/case-tasks.ts';
import { type CaseTemplate, findTemplate } from './tables/case-templates.ts';
import {
  type CaseRow,
  deleteCaseDetection,
  detectionsOfCase,
  insertCase,
  insertCaseDetections,
} from './tables/cases.ts';

export interface AddedDetection {
  readonly id: string;
  readonly outcome: 'added' | 'present' | 'not_found';
}

/** Changes of cases, each in one transaction with its history and audit entry. All reject with `CaseRefused`. */
export interface Cases extends CaseTasks, CaseEvidence {
  open(wanted: NewCase, by: CaseChangedBy): Promise<string>;
  /** Opens the case of a campaign. Undefined if the campaign has one. */
  openForCampaign(transaction: Db, campaign: Campaign): Promise<string | undefined>;
  change(id: string, change: CaseChange, by: CaseChangedBy, ifMatch: string | undefined): Promise<void>;
  addDetections(id: string, detectionIds: readonly string[], by: CaseChangedBy): Promise<AddedDetection[]>;
  removeDetection(id: string, detectionId: string, by: CaseChangedBy): Promise<void>;
}

/** The detection of a campaign, and the initial values of its case. */
export interface Campaign {
  readonly id: string;
  readonly title: string;
  readonly severity: CaseRow['severity'];
}

export interface CasesDeps extends CaseTransactionsDeps {
  readonly clickhouse: ClickHouse;
}

/** Actor of changes by the product itself. */
const SYSTEM: CaseChangedBy = {
  actor: 'system',
  userId: null,
  username: null,
  administrator: false,
  origin: { ip: '', userAgent: 'trapline', requestId: '' },
};

/** Long: its functions share the creation of a case. */
export function createCases({ clickhouse, ...deps }: CasesDeps): Cases {
  const { database, notices } = deps;
  const transactions = createCaseTransactions(deps);
  const { onCase, keep, analyst } = transactions;

  async function create(
    transaction: Db,
    wanted: Pick<CaseRow, 'title' | 'description' | 'severity' | 'assignee' | 'campaignId'>,
    parts: { readonly detectionIds: readonly string[]; readonly tasks: readonly string[] },
    by: CaseChangedBy,
  ): Promise<string | undefined> {
    const at = new Date();
    const row = await insertCase(transaction, {
      id: newId('case'),
      ...wanted,
      createdAt: at,
      acknowledgedAt: wanted.assignee === null ? null : at,
      createdBy: by.actor,
    });
    if (row === undefined) return undefined;
    await insertCaseDetections(transaction, row.id, parts.detectionIds, at);
    const tasks = parts.tasks.map((title) => ({ id: newId('task'), title, assignee: null }));
    await insertTasks(transaction, row.id, tasks);
    const { title, severity, assignee } = wanted;
    const after = { title, severity, assignee, detections: parts.detectionIds, tasks: parts.tasks };
    await keep(
      transaction,
      row,
      { kind: 'created', data: after, action: 'case.create', diff: afterOnly(after), cause: 'opened' },
      by,
    );
    if (assignee !== null) await notices.assigned(transaction, { subjects: [row.id], assignee }, by);
    return row.id;
  }

  return {
    ...createCaseTasks(transactions),
    ...createCaseEvidence(transactions),

    async open({ title, description = null, severity, assignee, detections: ids, template: templateId }, by) {
      const template = templateId === undefined ? undefined : await existingTemplate(database, templateId);
      const found = new Map((await getDetections(clickhouse, ids)).map((detection) => [detection.id, detection]));
      const missing = ids.find((id) => !found.has(id));
      if (missing !== undefined)
        throw new CaseRefused({ code: 'invalid', field: 'detections', problem: `there is no detection ${missing}` });
      const first = found.get(ids[0] ?? '');
      const wanted = title ?? template?.title ?? (first && titleOfDetection(first));
      if (wanted === undefined)
        throw new CaseRefused({
          code: 'invalid',
          field: 'title',
          problem: 'a title, a template or a detection is needed',
        });
      const severities = [...found.values()].map((detection) => detection.severity);
      const fields = {
        title: wanted,
        description,
        severity: severity ?? template?.severity ?? highestSeverity(severities),
        assignee: await analyst(assignee, 'assignee'),
        campaignId: null,
      };
      const parts = { detectionIds: ids, tasks: template?.tasks ?? [] };
      const id = await inTransaction(database, (transaction) => create(transaction, fields, parts, by));
      if (id === undefined) throw new Error('a case of no campaign has no conflict');
      return id;
    },

    openForCampaign: (transaction, { id, title, severity }) =>
      create(
        transaction,
        { title, description: null, severity, assignee: null, campaignId: id },
        { detectionIds: [id], tasks: [] },
        SYSTEM,
      ),

    async change(id, change, by, ifMatch) {
      const assignee = change.assignee == null ? change.assignee : await analyst(change.assignee, 'assignee');
      await onCase(id, by, async (row, transaction, at) => {
        if (!mayChange(ifMatch, entityTag(row.version))) throw new CaseRefused({ code: 'changed_since_read' });
        const moved = changeCase(row, { ...change, assignee }, at);
        if (!moved.ok) throw new CaseRefused({ code: 'invalid', field: moved.field, problem: moved.problem });
        if (moved.changed === undefined) return { result: undefined };
        const { row: now, before, after } = moved.changed;
        if (after.assignee != null)
          await notices.assigned(transaction, { subjects: [id], assignee: after.assignee }, by);
        const cause = after.status === 'closed' ? 'closed' : 'changed';
        const entry = {
          kind: 'changed',
          data: { before, after },
          action: 'case.update',
          diff: diffOf(before, after),
          cause,
        } as const;
        return { entry, row: now, result: undefined };
      });
    },

    async addDetections(id, detectionIds, by) {
      const found = new Set((await getDetections(clickhouse, detectionIds)).map((detection) => detection.id));
      return onCase(id, by, async (_row, transaction, at) => {
        const known = detectionIds.filter((one) => found.has(one));
        const added = await insertCaseDetections(transaction, id, known, at);
        const all = await detectionsOfCase(transaction, id);
        if (all.length > MAX_CASE_DETECTIONS)
          throw new CaseRefused({ code: 'full', problem: `a case has at most ${MAX_CASE_DETECTIONS} detections` });
        const isNew = new Set(added);
        const result = detectionIds.map((one) => {
          const outcome = isNew.has(one) ? 'added' : found.has(one) ? 'present' : 'not_found';
          return { id: one, outcome } satisfies AddedDetection;
        });
        if (added.length === 0) return { result };
        const sorted = known.filter((one) => isNew.has(one));
        const entry = entryOf('detections_added', { detections: sorted }, 'case.detections', {
          detections: { after: sorted },
        });
        return { entry, result };
      });
    },

    removeDetection: (id, detectionId, by) =>
      onCase(id, by, async (_row, transaction) => {
        if (!(await deleteCaseDetection(transaction, id, detectionId)))
          throw new CaseRefused({ code: 'not_found', what: 'detection in the case' });
        const detections = [detectionId];
        const diff = { detections: { before: detections } };
        return { entry: entryOf('detection_removed', { detections }, 'case.detections', diff), result: undefined };
      }),
  };
}

async function existingTemplate(db: Db, id: string): Promise<CaseTemplate> {
  const template = await findTemplate(db, id);
  if (template !== undefined) return template;
  throw new CaseRefused({ code: 'invalid', field: 'template', problem: 'there is no template with this id' });
}
