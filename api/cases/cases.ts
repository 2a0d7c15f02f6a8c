import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { getDetections } from '#analytics/clickhouse/read-models/detections.ts';
import type { Audit, AuditAction, AuditEntry } from '#api/audit/port.ts';
import { findAnalyst } from '#api/detections/tables/detection-triage.ts';
import type { StoredContent } from '#api/executions/files/contents.ts';
import { entityTag, mayChange } from '#api/http/entity-tag.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { CaseChange, Happening, NewCase } from '#schemas/api/cases.ts';
import { MAX_CASE_DETECTIONS, MAX_CASE_FILES, MAX_CASE_TASKS } from '#schemas/case-terms.ts';
import type { CaseCause, NotifyOutputs } from './case-cause.ts';
import { CaseRefused } from './case-refused.ts';
import { changeCase, highestSeverity } from './case-rules.ts';
import type { CaseChangedBy } from './changed-by.ts';
import { newId } from './new-id.ts';
import type { Notices } from './notify/notices.ts';
import { insertCaseEvent } from './tables/case-events.ts';
import { type CaseFile, deleteCaseFile, filesOfCase, findCaseFile, insertCaseFile } from './tables/case-files.ts';
import { type CaseTask, deleteTask, findTask, insertTasks, saveTask, tasksOfCase } from './tables/case-tasks.ts';
import { type CaseTemplate, findTemplate } from './tables/case-templates.ts';
import {
  type CaseRow,
  deleteCaseDetection,
  detectionsOfCase,
  insertCase,
  insertCaseDetections,
  lockCase,
  saveCase,
} from './tables/cases.ts';
import { insertLinkedExecution, type LinkedExecution } from './tables/linked-executions.ts';

export interface AddedDetection {
  readonly id: string;
  readonly outcome: 'added' | 'present' | 'not_found';
}

export interface TaskChange {
  readonly title?: string | undefined;
  readonly assignee?: string | null | undefined;
  readonly done?: boolean | undefined;
}

/** Changes of cases, each in one transaction with its history and audit entry. All reject with `CaseRefused`. */
export interface Cases {
  open(wanted: NewCase, by: CaseChangedBy): Promise<string>;
  /** Opens the case of a campaign; undefined when it has one. */
  openForCampaign(transaction: Db, campaign: Campaign): Promise<string | undefined>;
  change(id: string, change: CaseChange, by: CaseChangedBy, ifMatch: string | undefined): Promise<void>;
  addDetections(id: string, detectionIds: readonly string[], by: CaseChangedBy): Promise<AddedDetection[]>;
  removeDetection(id: string, detectionId: string, by: CaseChangedBy): Promise<void>;
  addTask(id: string, task: Pick<CaseTask, 'title' | 'assignee'>, by: CaseChangedBy): Promise<CaseTask>;
  changeTask(id: string, taskId: string, change: TaskChange, by: CaseChangedBy): Promise<CaseTask>;
  removeTask(id: string, taskId: string, by: CaseChangedBy): Promise<void>;
  addFile(id: string, file: StoredContent & { readonly filename: string }, by: CaseChangedBy): Promise<CaseFile>;
  removeFile(id: string, fileId: string, by: CaseChangedBy): Promise<void>;
  linkExecution(
    id: string,
    execution: Pick<LinkedExecution, 'executionId' | 'kind' | 'name'>,
    by: CaseChangedBy,
  ): Promise<void>;
}

/** The detection of a campaign, with what its case begins with. */
export interface Campaign {
  readonly id: string;
  readonly title: string;
  readonly severity: CaseRow['severity'];
}

export interface CasesDeps {
  readonly clickhouse: ClickHouse;
  readonly database: Database;
  readonly audit: Audit;
  readonly notices: Notices;
  /** Default: outputs get no message. */
  readonly notifyOutputs?: NotifyOutputs | undefined;
}

/** What the product itself does. */
const SYSTEM: CaseChangedBy = {
  actor: 'system',
  userId: null,
  username: null,
  administrator: false,
  origin: { ip: '', userAgent: 'trapline', requestId: '' },
};

/** One entry of the history and of the audit log. */
interface Entry {
  readonly kind: Happening['kind'];
  readonly data: Record<string, unknown>;
  readonly action: AuditAction;
  readonly diff: NonNullable<AuditEntry['diff']>;
  readonly cause?: CaseCause;
}

/** Long: its functions share the transaction, the history and the audit entry. */
export function createCases({
  clickhouse,
  database,
  audit,
  notices,
  notifyOutputs = async () => {},
}: CasesDeps): Cases {
  /** Runs `work` on a locked case, then writes the history, the audit entry and the message to outputs that it returns. */
  function onCase<T>(
    id: string,
    by: CaseChangedBy,
    work: (
      row: CaseRow,
      transaction: Db,
      at: Date,
    ) => Promise<{ readonly entry?: Entry | undefined; readonly row?: CaseRow; readonly result: T }>,
  ): Promise<T> {
    return inTransaction(database, async (transaction) => {
      const row = await lockCase(transaction, id);
      if (row === undefined) throw new CaseRefused({ code: 'not_found', what: 'case' });
      const at = new Date(Math.max(Date.now(), row.changedAt.getTime() + 1));
      const { entry, row: after = row, result } = await work(row, transaction, at);
      if (entry !== undefined) await keep(transaction, { ...after, changedAt: at }, entry, by);
      return result;
    });
  }

  async function keep(transaction: Db, row: CaseRow, entry: Entry, by: CaseChangedBy): Promise<void> {
    const { kind, data, action, diff, cause = 'changed' } = entry;
    const { id: caseId, changedAt: at } = row;
    const { actor, username, origin } = by;
    const seq = row.lastSeq + 1;
    await saveCase(transaction, { ...row, lastSeq: seq });
    await insertCaseEvent(transaction, { caseId, seq, at, actor, username, kind, data });
    await audit.record(transaction, { actor, target: `case:${caseId}`, action, diff, origin });
    await notifyOutputs(transaction, { caseId, seq, cause, at });
  }

  async function analyst(name: string | null | undefined, field: string): Promise<string | null> {
    if (name === null || name === undefined) return null;
    const found = await findAnalyst(database, name);
    if (found !== undefined) return found;
    const problem = 'there is no enabled analyst or administrator of this name';
    throw new CaseRefused({ code: 'invalid', field, problem });
  }

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

    async addTask(id, { title, assignee: wanted }, by) {
      const assignee = await analyst(wanted, 'assignee');
      return onCase(id, by, async (_row, transaction) => {
        if ((await tasksOfCase(transaction, id)).length >= MAX_CASE_TASKS)
          throw new CaseRefused({ code: 'full', problem: `a case has at most ${MAX_CASE_TASKS} tasks` });
        const taskId = newId('task');
        await insertTasks(transaction, id, [{ id: taskId, title, assignee }]);
        if (assignee !== null) await notices.assigned(transaction, { subjects: [id], assignee, task: title }, by);
        const result = await existingTask(transaction, id, taskId);
        const task = { id: taskId, title, assignee };
        return { entry: entryOf('task_added', { task }, 'case.task', afterOnly({ task })), result };
      });
    },

    async changeTask(id, taskId, change, by) {
      const assignee = change.assignee == null ? change.assignee : await analyst(change.assignee, 'assignee');
      return onCase(id, by, async (_row, transaction) => {
        const task = await existingTask(transaction, id, taskId);
        const { title = task.title, done = task.done } = change;
        const now = { ...task, title, done, assignee: assignee === undefined ? task.assignee : assignee };
        const names = (['title', 'assignee', 'done'] as const).filter((name) => task[name] !== now[name]);
        if (names.length === 0) return { result: task };
        await saveTask(transaction, now);
        if (names.includes('assignee') && now.assignee !== null)
          await notices.assigned(transaction, { subjects: [id], assignee: now.assignee, task: now.title }, by);
        const before = Object.fromEntries(names.map((name) => [name, task[name]]));
        const after = Object.fromEntries(names.map((name) => [name, now[name]]));
        const data = { task: { id: taskId, title: now.title }, before, after };
        const diff = { task: { after: taskId }, ...diffOf(before, after) };
        return { entry: entryOf('task_changed', data, 'case.task', diff), result: now };
      });
    },

    removeTask: (id, taskId, by) =>
      onCase(id, by, async (_row, transaction) => {
        const { title, assignee, done } = await existingTask(transaction, id, taskId);
        await deleteTask(transaction, taskId);
        const task = { id: taskId, title, assignee, done };
        return { entry: entryOf('task_removed', { task }, 'case.task', { task: { before: task } }), result: undefined };
      }),

    addFile: (id, { filename, contentHash, size }, by) =>
      onCase(id, by, async (_row, transaction, at) => {
        if ((await filesOfCase(transaction, id)).length >= MAX_CASE_FILES)
          throw new CaseRefused({ code: 'full', problem: `a case has at most ${MAX_CASE_FILES} files` });
        const { actor: addedBy, username } = by;
        const row = { id: newId('file'), caseId: id, filename, contentHash, size, addedAt: at, addedBy, username };
        await insertCaseFile(transaction, row);
        const file = { id: row.id, filename, size, sha256: contentHash };
        return { entry: entryOf('file_added', { file }, 'case.file', afterOnly({ file })), result: row };
      }),

    removeFile: (id, fileId, by) =>
      onCase(id, by, async (_row, transaction) => {
        const found = await findCaseFile(transaction, id, fileId);
        if (found === undefined) throw new CaseRefused({ code: 'not_found', what: 'file in the case' });
        await deleteCaseFile(transaction, found);
        const file = { id: fileId, filename: found.filename, size: found.size, sha256: found.contentHash };
        return { entry: entryOf('file_removed', { file }, 'case.file', { file: { before: file } }), result: undefined };
      }),

    linkExecution: (id, execution, by) =>
      onCase(id, by, async (_row, transaction) => {
        const { actor, username } = by;
        if (!(await insertLinkedExecution(transaction, { subject: id, ...execution, actor, username })))
          return { result: undefined };
        const entry = entryOf('execution_linked', { execution }, 'case.execution', afterOnly({ execution }));
        return { entry, result: undefined };
      }),
  };
}

/** Title of a case that begins with one detection. */
export function titleOfDetection({
  rule,
  hostname,
  procname,
}: {
  readonly rule: { readonly name: string };
  readonly hostname: string | null;
  readonly procname: string | null;
}): string {
  const program = procname === null ? '' : `: ${procname}`;
  const host = hostname === null ? '' : ` on ${hostname}`;
  return `${rule.name}${program}${host}`.slice(0, 200).toWellFormed();
}

async function existingTemplate(db: Db, id: string): Promise<CaseTemplate> {
  const template = await findTemplate(db, id);
  if (template !== undefined) return template;
  throw new CaseRefused({ code: 'invalid', field: 'template', problem: 'there is no template with this id' });
}

async function existingTask(db: Db, caseId: string, id: string): Promise<CaseTask> {
  const task = await findTask(db, caseId, id);
  if (task === undefined) throw new CaseRefused({ code: 'not_found', what: 'task in the case' });
  return task;
}

function entryOf(kind: Entry['kind'], data: Record<string, unknown>, action: AuditAction, diff: Entry['diff']): Entry {
  return { kind, data, action, diff };
}

function afterOnly(fields: Readonly<Record<string, unknown>>): Entry['diff'] {
  return Object.fromEntries(Object.entries(fields).map(([name, after]) => [name, { after }]));
}

function diffOf(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): Entry['diff'] {
  return Object.fromEntries(Object.keys(after).map((name) => [name, { before: before[name], after: after[name] }]));
}
