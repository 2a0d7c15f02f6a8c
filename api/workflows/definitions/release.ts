import { createHash } from 'node:crypto';
import type { Audit } from '#api/audit/port.ts';
import type { WorkflowDefinition } from '#api/executions/engine/contract/port.ts';
import { limitsOf } from '#api/executions/limits/declared-limits.ts';
import { randomId } from '#api/executions/random-id.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import { mayChange as matches } from '#api/http/responses/entity-tag.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { violatedUnique } from '#api/postgres/failure.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { mayDo, standingOf } from '#api/sharing/permissions.ts';
import type { Viewer } from '#api/sharing/viewer.ts';
import { findVersion, insertVersion, lastVersionNumber, type WorkflowVersion } from '../tables/workflow-versions.ts';
import {
  insertWorkflow,
  lockWorkflow,
  type SeenWorkflow,
  updateWorkflow,
  type Visibility,
  type Workflow,
  type WorkflowKind,
} from '../tables/workflows.ts';
import { shortestGapMs } from '../triggers/occurrences.ts';
import { triggersOfDefinition } from '../triggers/spec.ts';
import { putTriggers } from '../triggers/sync-triggers.ts';
import type { CheckedDefinition } from './check.ts';
import type { DefinitionChecker } from './checker.ts';
import { type DefinitionIssue, problem } from './issue.ts';
import { lookUpReferences } from './look-up-references.ts';
import { referencesOf } from './references-of.ts';
import { DefinitionRefused, ReleaseRefused } from './release-refusal.ts';
import type { SchemaSource } from './schema-resources.ts';
import type { JsonRecord } from './walk.ts';

type Checked = Extract<CheckedDefinition, { ok: true }>;

export interface ReleaseRequest {
  readonly slug: string;
  readonly yamlContent: string;
  /** Tag of the version. Default: the next number. */
  readonly version?: string | undefined;
  /** Default: unchanged, or `workflow` for a new one. */
  readonly kind?: WorkflowKind | undefined;
  /** Default: unchanged, or `private` for a new one. */
  readonly visibility?: Visibility | undefined;
  readonly notes?: string | undefined;
  /** ETag (`workflowTag`) of the workflow version that the definition is based on. If undefined, not checked. */
  readonly ifMatch?: string | undefined;
}

export interface ReleasedBy {
  readonly viewer: Viewer;
  /** See `actorOf`. */
  readonly actor: string;
  readonly origin: RequestOrigin;
}

export interface Released {
  readonly workflow: Workflow;
  readonly version: WorkflowVersion;
  /** False if the definition is unchanged and no version was created. */
  readonly released: boolean;
  readonly warnings: readonly DefinitionIssue[];
}

export interface Releases {
  /**
   * Makes a definition the current one of its slug. New content becomes a new version. Content that is already current
   * changes nothing. Content that belongs to the given tag becomes current again. Rejects with `DefinitionRefused` or
   * `ReleaseRefused`.
   */
  release(request: ReleaseRequest, by: ReleasedBy): Promise<Released>;
  /**
   * Returns a checked definition with its external schemas, fetched as in a release of this slug: with the secrets of
   * the owner. Rejects with `DefinitionRefused` or `ReleaseRefused`.
   */
  embedSchemas(checked: Checked, slug: string, viewer: Viewer): Promise<JsonRecord>;
  /**
   * Makes an older version (id or tag) current again. Rejects with `ReleaseRefused`, or with `DefinitionRefused` for
   * its secrets.
   */
  rollBack(slug: string, version: string, by: ReleasedBy): Promise<Released>;
}

export interface ReleaseDeps {
  readonly database: Database;
  readonly audit: Audit;
  readonly checker: Pick<DefinitionChecker, 'check'>;
  readonly schemas: SchemaSource;
}

export interface ReleaseConfig {
  /** Minimum interval of schedules of users, in ms. By default, only the general minimum of one second applies. */
  readonly minScheduleMs?: number;
}

/** Creates the releases. Long: its functions share the stores and the check of a definition. */
export function createReleases(
  { database, audit, checker, schemas }: ReleaseDeps,
  { minScheduleMs = 0 }: ReleaseConfig = {},
): Releases {
  return {
    async release(request, by) {
      const checked = await checker.check(request.yamlContent, by.actor);
      if (!checked.ok) throw new DefinitionRefused(checked.issues);
      if (!by.viewer.administrator) {
        requireSlowSchedule(checked.definition, minScheduleMs);
        requireNoPrecedence(checked.definition);
      }
      const definition = await embedSchemas(checked, request.slug, by.viewer);
      const settled = { ...checked, definition };
      const once = () => inTransaction(database, (transaction) => write(transaction, request, settled, by));
      // If two requests create the same slug concurrently, the second one finds it in a retry.
      return once().catch((error: unknown) => {
        if (violatedUnique(error) !== 'workflows_slug_key') throw error;
        return once();
      });
    },
    embedSchemas,
    rollBack: (slug, wanted, by) =>
      inTransaction(database, async (transaction) => {
        const workflow = await changeable(transaction, slug, by.viewer);
        if (workflow === undefined) throw new ReleaseRefused('invisible');
        const version = await findVersion(transaction, workflow, wanted);
        if (version === undefined) throw new ReleaseRefused('no-such-version');
        await requireKnownSecrets(transaction, workflow, version.definition as JsonRecord, by.viewer);
        return makeCurrent(transaction, { workflow, version, by, released: false, warnings: [], settings: {} });
      }),
  };

  async function embedSchemas(checked: Checked, slug: string, viewer: Viewer): Promise<JsonRecord> {
    if (checked.references.schemas.length === 0) return checked.definition;
    // Checked before the first request, which may send a secret.
    const ownerId = await inTransaction(database, async (transaction) => {
      const workflow = await changeable(transaction, slug, viewer);
      if (workflow !== undefined) await requireKnownSecrets(transaction, workflow, checked.definition, viewer);
      return workflow === undefined ? (viewer.userId ?? null) : workflow.ownerId;
    });
    return schemas.embed(checked, ownerId);
  }

  async function write(transaction: Db, request: ReleaseRequest, checked: Checked, by: ReleasedBy): Promise<Released> {
    const { slug, yamlContent, version: tag, notes, kind, visibility, ifMatch } = request;
    const workflow = await changeable(transaction, slug, by.viewer);
    if (ifMatch !== undefined && (workflow === undefined || !matches(ifMatch, workflowTag(workflow))))
      throw new ReleaseRefused('overtaken');
    if (workflow !== undefined && visibility !== undefined && visibility !== workflow.visibility)
      if (!mayDo('share', standingOf(by.viewer, workflow))) throw new ReleaseRefused('not-sharer');
    if (workflow !== undefined) await requireKnownSecrets(transaction, workflow, checked.definition, by.viewer);
    const ownerId = workflow === undefined ? (by.viewer.userId ?? null) : workflow.ownerId;
    const warnings = await lookUpReferences(transaction, checked, { slug, ownerId, viewer: by.viewer });
    const contentHash = hashOf(yamlContent, checked);
    const settings = { ...(kind === undefined ? {} : { kind }), ...(visibility === undefined ? {} : { visibility }) };
    const rest = { by, warnings, settings };
    if (workflow !== undefined) {
      const current = await findVersion(transaction, workflow, 'latest');
      if (current?.contentHash === contentHash)
        return makeCurrent(transaction, { workflow, version: current, released: false, ...rest });
      const tagged = tag === undefined ? undefined : await findVersion(transaction, workflow, tag);
      if (tagged !== undefined && tagged.contentHash !== contentHash) throw new ReleaseRefused('tag-taken');
      if (tagged !== undefined)
        return makeCurrent(transaction, { workflow, version: tagged, released: false, ...rest });
    }
    const workflowId = workflow?.id ?? randomId('wf_');
    const versionId = randomId('wfh_');
    const base = { id: workflowId, slug, currentVersionId: versionId };
    const settled =
      workflow ??
      (await insertWorkflow(transaction, {
        ...base,
        kind: kind ?? 'workflow',
        visibility: visibility ?? 'private',
        ownerId,
      }));
    const number = (await lastVersionNumber(transaction, workflowId)) + 1;
    await insertVersion(transaction, {
      id: versionId,
      workflowId,
      number,
      tag: tag ?? (await freeTag(transaction, settled, number)),
      yamlContent,
      definition: checked.definition,
      contentHash,
      notes: notes ?? null,
      createdBy: by.actor,
    });
    const version = await findVersion(transaction, settled, versionId);
    if (version === undefined) throw new Error('cannot find the version just written');
    return makeCurrent(transaction, { workflow: settled, version, released: true, ...rest });
  }

  /**
   * Points the workflow to the version, changes its settings, and records both in the audit log. Does nothing if all
   * are unchanged.
   */
  async function makeCurrent(
    transaction: Db,
    wanted: {
      readonly workflow: Workflow;
      readonly version: WorkflowVersion;
      readonly by: ReleasedBy;
      readonly released: boolean;
      readonly warnings: readonly DefinitionIssue[];
      readonly settings: Partial<Pick<Workflow, 'kind' | 'visibility'>>;
    },
  ): Promise<Released> {
    const { workflow, version, by, released, warnings, settings } = wanted;
    // A release restores a deleted workflow.
    const change = { ...settings, currentVersionId: version.id, archivedAt: null };
    const diff = Object.fromEntries(
      (Object.keys(change) as (keyof typeof change)[])
        .filter((field) => change[field] !== workflow[field])
        .map((field) => [field, { before: workflow[field], after: change[field] }]),
    );
    if (Object.keys(diff).length === 0 && !released) return { workflow, version, released, warnings };
    const updated = await updateWorkflow(transaction, workflow.id, change);
    if (released || workflow.currentVersionId !== version.id) {
      const definition = version.definition as unknown as WorkflowDefinition;
      await putTriggers(transaction, { workflowId: workflow.id, ownerId: workflow.ownerId, definition }, Date.now());
    }
    await audit.record(transaction, {
      actor: by.actor,
      target: `workflow:${workflow.id}`,
      action: 'workflow.release',
      diff: { ...diff, ...(released ? { version: { after: version.tag } } : {}) },
      origin: by.origin,
    });
    return { workflow: updated, version, released, warnings };
  }
}

function requireSlowSchedule(definition: object, minMs: number): void {
  for (const spec of triggersOfDefinition(definition as WorkflowDefinition)) {
    const gapMs = shortestGapMs(spec, Date.now());
    if (gapMs === undefined || gapMs >= minMs) continue;
    const found = `begins executions every ${gapMs / 1_000} s; at least ${minMs / 1_000} s are allowed`;
    throw new DefinitionRefused([problem(['schedule'], found)]);
  }
}

/** As for a single run, only administrators may use a priority above 0. */
function requireNoPrecedence(definition: object): void {
  const { priority } = limitsOf(definition as WorkflowDefinition);
  if (typeof priority !== 'number' || priority <= 0) return;
  const found = `only administrators release a priority above 0 (got ${priority})`;
  throw new DefinitionRefused([problem(['document', 'metadata', 'limits', 'priority'], found)]);
}

/** Hashes the text and its fetched schemas. So a changed schema leads to a new version. */
function hashOf(yamlContent: string, { definition, references }: Checked): string {
  const hash = createHash('sha256').update(yamlContent);
  if (references.schemas.length > 0) hash.update('\n').update(JSON.stringify(definition));
  return hash.digest('hex');
}

/** Returns the ETag of a workflow, derived from its current version. */
export function workflowTag({ currentVersionId }: Pick<Workflow, 'currentVersionId'>): string {
  return `"${currentVersionId}"`;
}

/** Returns the workflow of the slug if the caller may change it; undefined if the slug is free. */
async function changeable(transaction: Db, slug: string, viewer: Viewer): Promise<SeenWorkflow | undefined> {
  const workflow = await lockWorkflow(transaction, viewer, slug);
  if (workflow === undefined) return undefined;
  const standing = standingOf(viewer, workflow);
  if (mayDo('edit', standing)) return workflow;
  throw new ReleaseRefused(mayDo('view', standing) ? 'not-owner' : 'invisible');
}

/** Returns the number itself, unless it is already used as a tag. */
async function freeTag(transaction: Db, workflow: Workflow, number: number): Promise<string> {
  for (let tag = number; ; tag += 1)
    if ((await findVersion(transaction, workflow, String(tag))) === undefined) return String(tag);
}

/**
 * Secrets belong to the owner of the workflow. A user who may only change the workflow cannot add secrets to those it
 * already uses. Rejects with `DefinitionRefused`.
 */
async function requireKnownSecrets(
  db: Db,
  workflow: SeenWorkflow,
  definition: JsonRecord,
  viewer: Viewer,
): Promise<void> {
  if (mayDo('share', standingOf(viewer, workflow))) return;
  const current = await findVersion(db, workflow, 'latest');
  const known = new Set(referencesOf((current?.definition ?? {}) as JsonRecord).secrets.map(({ name }) => name));
  const added = referencesOf(definition).secrets.filter(({ name }) => !known.has(name));
  if (added.length > 0)
    throw new DefinitionRefused(
      added.map(({ name, path }) =>
        problem(path, `only its owner and administrators let the workflow use another secret: '${name}'`),
      ),
    );
}
