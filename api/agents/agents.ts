import type { Audit } from '#api/audit/port.ts';
import type { Contents, StoredContent } from '#api/executions/files/contents.ts';
import { randomId } from '#api/executions/random-id.ts';
import { type ApiError, apiError } from '#api/http/api-error.ts';
import { contentTag, mayChange } from '#api/http/responses/entity-tag.ts';
import type { Database } from '#api/postgres/database.ts';
import { violatedUnique } from '#api/postgres/failure.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { Visibility } from '#api/workflows/tables/workflows.ts';
import { requireKnownSecrets } from './known-secrets.ts';
import { keepPermissions } from './permissions/keep-permissions.ts';
import { authorOf, ownerOf, type Requester, requireMay, viewerOf } from './requester.ts';
import type { SchemaCheck } from './schema-check.ts';
import { starterFiles } from './starter-files.ts';
import { findWorkspaceFile, listWorkspace, type NamedContent, type WorkspaceFile } from './tables/agent-files.ts';
import {
  type Agent,
  type AgentChange,
  findAgent,
  insertAgent,
  lockAgent,
  type SeenAgent,
  updateAgent,
} from './tables/agents.ts';
import { requirePath, WORKSPACE_LIMITS, writeWorkspace } from './workspace.ts';

export interface NewAgent {
  readonly name: string;
  readonly slug: string;
  readonly description?: string | undefined;
  readonly config?: Record<string, unknown> | undefined;
  readonly visibility?: Visibility | undefined;
}

/** A file to write into a workspace. */
export interface FileUpload {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/**
 * Agents and their workspaces. All calls reject with `ApiError` if something does not exist, is forbidden or invalid.
 */
export interface Agents {
  create(requester: Requester, wanted: NewAgent): Promise<Agent>;
  /**
   * Changes an agent. `ifMatch`: the ETag (`agentTag`) of the agent that the change is based on. If undefined, not
   * checked.
   */
  change(requester: Requester, idOrSlug: string, change: AgentChange, ifMatch?: string): Promise<Agent>;
  find(requester: Requester, idOrSlug: string): Promise<SeenAgent>;
  /** Lists the files of the workspace, now or at an earlier version. */
  files(
    requester: Requester,
    idOrSlug: string,
    wanted?: { readonly prefix?: string | undefined; readonly version?: number | undefined },
  ): Promise<WorkspaceFile[]>;
  /** Returns a file of the workspace, now or at an earlier version. */
  file(
    requester: Requester,
    idOrSlug: string,
    path: string,
    version?: number,
  ): Promise<{ file: WorkspaceFile; bytes: Buffer }>;
  /**
   * Writes files and deletes the paths of `remove`, atomically in one version. Resolves to the stored paths. `ifMatch`:
   * the ETag (`fileTag`) that all of the files must have. If undefined, not checked.
   */
  putFiles(
    requester: Requester,
    idOrSlug: string,
    files: readonly FileUpload[],
    remove?: readonly string[],
    ifMatch?: string,
  ): Promise<string[]>;
}

/** Creates the agents. Long: its functions share the stores and the check of the requester. */
export function createAgents(deps: {
  readonly database: Database;
  readonly contents: Contents;
  readonly audit: Audit;
  readonly schemas: SchemaCheck;
}): Agents {
  const { database, contents, audit, schemas } = deps;

  async function find(requester: Requester, idOrSlug: string): Promise<SeenAgent> {
    const agent = await findAgent(database, idOrSlug, viewerOf(requester));
    if (agent === undefined) throw apiError('not_found', 'there is no such agent');
    return agent;
  }

  async function store(files: readonly FileUpload[]): Promise<NamedContent[]> {
    const stored: NamedContent[] = [];
    for (const { path, bytes, contentType } of files) {
      const content: StoredContent = await contents.putBytes(bytes, contentType);
      stored.push({ ...content, path });
    }
    return stored;
  }

  return {
    find,
    async create(requester, { name, slug, description = '', config: given = {}, visibility = 'private' }) {
      const config = keepPermissions(given);
      if (slug === 'executions') throw apiError('invalid_value', 'this slug is taken by a path', 'slug');
      await schemas.checkConfig(config, ownerOf(requester) ?? undefined);
      const id = randomId('awf_');
      const files = await store(starterFiles({ name, description }));
      try {
        return await inTransaction(database, async (transaction) => {
          const row = { id, slug, name, description, config, ownerId: ownerOf(requester), visibility };
          const agent = await insertAgent(transaction, row);
          await writeWorkspace(transaction, agent, files, authorOf(requester).actor);
          await audit.record(transaction, entryOf(requester, id, { name: { after: name }, slug: { after: slug } }));
          return (await findAgent(transaction, id, { all: true })) ?? agent;
        });
      } catch (error) {
        if (violatedUnique(error) === 'agents_slug_key')
          throw apiError('invalid_value', 'another agent has this slug', 'slug');
        throw error;
      }
    },

    async change(requester, idOrSlug, wanted, ifMatch) {
      if (wanted.config !== undefined) await schemas.checkConfig(wanted.config, ownerOf(requester) ?? undefined);
      return inTransaction(database, async (transaction) => {
        const before = await lockAgent(transaction, idOrSlug, viewerOf(requester));
        if (before === undefined) throw apiError('not_found', 'there is no such agent');
        requireMay(requester, 'edit', before);
        const change =
          wanted.config === undefined ? wanted : { ...wanted, config: keepPermissions(wanted.config, before.config) };
        if (change.visibility !== undefined && change.visibility !== before.visibility)
          requireMay(requester, 'share', before);
        if (change.config !== undefined) requireKnownSecrets(requester, before, change.config);
        if (!mayChange(ifMatch, agentTag(before))) throw overtaken();
        const after = await updateAgent(transaction, before.id, change);
        const diff = Object.fromEntries(
          (['name', 'description', 'config', 'visibility', 'archivedAt'] as const)
            .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
            .map((key) => [key, { before: before[key], after: after[key] }]),
        );
        if (Object.keys(diff).length > 0) await audit.record(transaction, entryOf(requester, before.id, diff));
        return after;
      });
    },

    async files(requester, idOrSlug, { prefix = '', version } = {}) {
      const agent = await find(requester, idOrSlug);
      const files = await listWorkspace(database, agent.id, versionOf(agent, version));
      return files.filter(({ path }) => path.startsWith(prefix.normalize('NFC')));
    },

    async file(requester, idOrSlug, path, version) {
      const wanted = requirePath(path, 'path');
      const agent = await find(requester, idOrSlug);
      const file = await findWorkspaceFile(database, agent.id, versionOf(agent, version), wanted);
      if (file === undefined) throw apiError('not_found', 'there is no such file', 'path');
      return { file, bytes: await contents.readBytes(file.contentHash) };
    },

    async putFiles(requester, idOrSlug, files, remove = [], ifMatch = undefined) {
      const gone = remove.map((path, index) => requirePath(path, `remove.${index}`));
      const named = files.map((file, index) => ({ ...file, path: requirePath(file.path, fieldOf(files, index)) }));
      const tooLarge = named.find(({ bytes }) => bytes.length > WORKSPACE_LIMITS.fileBytes);
      if (tooLarge !== undefined)
        throw apiError('invalid_value', `a file of a workspace has at most ${WORKSPACE_LIMITS.fileBytes} bytes`);
      if (new Set(named.map(({ path }) => path)).size < named.length)
        throw apiError('invalid_value', 'two of the files have the same path', 'files');
      requireMay(requester, 'edit', await find(requester, idOrSlug));
      const stored = await store(named);
      return inTransaction(database, async (transaction) => {
        const agent = await lockAgent(transaction, idOrSlug, viewerOf(requester));
        if (agent === undefined) throw apiError('not_found', 'there is no such agent');
        requireMay(requester, 'edit', agent);
        if (ifMatch !== undefined)
          for (const { path } of stored) {
            const now = await findWorkspaceFile(transaction, agent.id, agent.latestVersion, path);
            if (now === undefined || !mayChange(ifMatch, fileTag(now))) throw overtaken();
          }
        const version = await writeWorkspace(transaction, agent, stored, authorOf(requester).actor, gone);
        if (version !== agent.latestVersion) {
          const diff = { workspaceVersion: { before: agent.latestVersion, after: version } };
          await audit.record(transaction, entryOf(requester, agent.id, diff));
        }
        return stored.map(({ path }) => path);
      });
    },
  };
}

/** Returns the ETag of the changeable properties of an agent. Files have ETags of their own. */
export function agentTag({ name, description, config, visibility, archivedAt }: Agent): string {
  return contentTag([name, description, config, visibility, archivedAt]);
}

/** Returns the ETag of a workspace file. */
export function fileTag({ contentHash }: WorkspaceFile): string {
  return `"${contentHash}"`;
}

function overtaken(): ApiError {
  return apiError('precondition_failed', 'it was changed since it was read: read it again', 'if-match');
}

/** Returns the requested version, or the latest one. */
function versionOf({ latestVersion }: Pick<Agent, 'latestVersion'>, wanted: number | undefined): number {
  if (wanted === undefined) return latestVersion;
  if (wanted < 1 || wanted > latestVersion) throw apiError('not_found', 'the workspace has no such version', 'version');
  return wanted;
}

function fieldOf(files: readonly unknown[], index: number): string {
  return files.length === 1 ? 'path' : `files.${index}.path`;
}

function entryOf(requester: Requester, id: string, diff: Record<string, { before?: unknown; after?: unknown }>) {
  return {
    actor: authorOf(requester).actor,
    target: `agent:${id}`,
    action: 'agent.update',
    diff,
    origin: requester.origin,
  } as const;
}
