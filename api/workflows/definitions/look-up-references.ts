import { secretOwner } from '#api/executions/secrets/secret-owner.ts';
import { listSecretNames } from '#api/executions/tables/execution-secrets.ts';
import type { Db } from '#api/postgres/database.ts';
import { usersByName } from '#api/sharing/tables/people.ts';
import { existingTeams } from '#api/sharing/tables/teams.ts';
import type { Viewer } from '#api/sharing/viewer.ts';
import { visibleSlugs } from '../tables/workflows.ts';
import type { CheckedDefinition, LocatedReference } from './check.ts';
import { type DefinitionIssue, problem, warning } from './issue.ts';
import { DefinitionRefused } from './release-refusal.ts';
import { isRecord } from './walk.ts';

export interface Releasing {
  readonly slug: string;
  /** Owner of the workflow; null for the operator. */
  readonly ownerId: string | null;
  /** The user who releases it. */
  readonly viewer: Viewer;
}

/**
 * Looks up the references of a definition. Rejects with `DefinitionRefused` for workflows and blocks that do not exist
 * or that its owner may not run. Secrets that are not set are only warnings, because they can be added later.
 */
export async function lookUpReferences(
  db: Db,
  { references, definition }: Extract<CheckedDefinition, { ok: true }>,
  { slug, ownerId, viewer }: Releasing,
): Promise<DefinitionIssue[]> {
  const owner: Viewer =
    ownerId === (viewer.userId ?? null) ? viewer : { userId: ownerId ?? undefined, administrator: ownerId === null };
  const others = references.workflows.filter(({ name }) => name !== slug);
  const there =
    others.length === 0
      ? new Set()
      : await visibleSlugs(
          db,
          owner,
          others.map(({ name }) => name),
        );
  const missing = others.filter(({ name }) => !there.has(name));
  await requireApprovers(db, references);
  if (missing.length > 0)
    throw new DefinitionRefused(
      missing.map((reference) =>
        at(reference, problem(reference.path, `there is no workflow or block '${reference.name}'`)),
      ),
    );
  const set = references.secrets.length === 0 ? [] : await listSecretNames(db, secretOwner(ownerId));
  const names = new Set(set.map(({ name }) => name));
  const warnings = references.secrets
    .filter(({ name }) => !names.has(name))
    .map((reference) => at(reference, warning(reference.path, `the secret '${reference.name}' is not set yet`)));
  const { document } = definition;
  const otherName = isRecord(document) && document.name !== slug;
  return otherName
    ? [...warnings, warning(['document', 'name'], `it is released as '${slug}', not by this name`)]
    : warnings;
}

async function requireApprovers(
  db: Db,
  { users, teams }: Pick<Extract<CheckedDefinition, { ok: true }>['references'], 'users' | 'teams'>,
): Promise<void> {
  const [knownUsers, knownTeams] = [
    users.length === 0
      ? new Map()
      : await usersByName(
          db,
          users.map(({ name }) => name),
        ),
    teams.length === 0
      ? new Map()
      : await existingTeams(
          db,
          teams.map(({ name }) => name),
        ),
  ];
  const unknown = [
    ...users
      .filter(({ name }) => !knownUsers.has(name.toLowerCase()))
      .map((reference) => at(reference, problem(reference.path, `there is no user named '${reference.name}'`))),
    ...teams
      .filter(({ name }) => !knownTeams.has(name))
      .map((reference) => at(reference, problem(reference.path, `there is no team named '${reference.name}'`))),
  ];
  if (unknown.length > 0) throw new DefinitionRefused(unknown);
}

function at({ line, column }: LocatedReference, issue: DefinitionIssue): DefinitionIssue {
  return { ...issue, line, column };
}
