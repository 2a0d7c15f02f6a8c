import type { WorkflowDefinition } from '#api/executions/engine/contract/port.ts';
import { TaskFailure } from '#api/executions/engine/contract/task-failure.ts';
import { resourceAtRelease } from '#api/executions/engine/release/release-resource.ts';
import type { EvaluateFor } from '#api/executions/expressions/evaluate.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { secretOwner } from '#api/executions/secrets/secret-owner.ts';
import type { Secrets } from '#api/executions/secrets/secrets.ts';
import { createDocuments } from '#api/executions/tasks/documents/documents.ts';
import { createHttpExchange, type HttpTaskDeps } from '#api/executions/tasks/http/http-exchange.ts';
import { createHttpTask } from '#api/executions/tasks/http/http-task.ts';
import type { TaskContext } from '#api/executions/tasks/port.ts';
import type { CheckedDefinition, LocatedReference } from './check.ts';
import type { DefinitionChecker } from './checker.ts';
import { problem } from './issue.ts';
import { type Reference, referencesOf } from './references-of.ts';
import { DefinitionRefused } from './release-refusal.ts';
import { schemaPlaces, withSchemas } from './schema-places.ts';
import type { JsonRecord, Path } from './walk.ts';

/** A definition that passed the checks of a release. */
type Checked = Extract<CheckedDefinition, { ok: true }>;

/** Fetches the external schemas of a definition. */
export interface SchemaSource {
  /**
   * Returns the definition with each schema of a `resource` included as `document`, so a version keeps the schemas of
   * its release. Uses the secrets of the owner. Rejects with `DefinitionRefused` if a schema cannot be fetched or used.
   */
  embed(checked: Checked, ownerId: string | null, signal?: AbortSignal): Promise<JsonRecord>;
}

export interface SchemaSourceDeps {
  readonly fetch: HttpTaskDeps['fetch'];
  readonly secrets: Pick<Secrets, 'read'>;
  readonly evaluate: EvaluateFor;
  readonly checker: Pick<DefinitionChecker, 'checkSchemas'>;
}

/** Maximum number of different resources of one definition. */
const MAX_RESOURCES = 20;
const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 10_000;
/** A release has no files that a request could send. */
const NO_FILES: HttpTaskDeps['files'] = {
  list: async () => [],
  find: async () => undefined,
  read: () => Promise.reject(new Error('a release has no files')),
};

export function createSchemaSource({ fetch, secrets, evaluate, checker }: SchemaSourceDeps): SchemaSource {
  return {
    async embed(checked, ownerId, signal = AbortSignal.timeout(2 * TIMEOUT_MS)) {
      const { definition, references } = checked;
      if (references.schemas.length === 0) return definition;
      const resolveSecrets = (_workflow: string, names: readonly string[]) => secrets.read(secretOwner(ownerId), names);
      const send = createHttpExchange(
        { fetch, resolveSecrets, files: NO_FILES },
        { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES },
      );
      const documents = createDocuments({ http: createHttpTask(send) });
      const secretNames = referencesOf(definition).secrets.map(({ name }) => name);
      const read = async (resource: JsonValue): Promise<JsonValue> => {
        const releasing = { definition: definition as WorkflowDefinition, secretNames, evaluate };
        return documents.value(
          await resourceAtRelease(releasing, resource),
          contextOf({ ownerId, secretNames, signal }),
        );
      };
      const fetched = await fetchEach(definition, references.schemas, read);
      const embedded = withSchemas(definition, ({ schema }) => {
        const document = schema.resource === undefined ? undefined : fetched.get(JSON.stringify(schema.resource));
        return document === undefined ? undefined : { ...schema, document };
      });
      const issues = await checker.checkSchemas(embedded, secretOwner(ownerId));
      if (issues.length > 0) throw new DefinitionRefused(issues.map((issue) => at(references.schemas, issue)));
      return embedded;
    },
  };
}

/** Fetches documents by the JSON of their resources. A document that several schemas use is fetched once. */
async function fetchEach(
  definition: JsonRecord,
  references: readonly LocatedReference[],
  read: (resource: JsonValue) => Promise<JsonValue>,
): Promise<ReadonlyMap<string, JsonValue>> {
  const resources = new Map<string, { readonly resource: JsonValue; readonly path: Path }>();
  for (const { path, schema } of schemaPlaces(definition)) {
    if (schema.resource === undefined) continue;
    const key = JSON.stringify(schema.resource);
    if (!resources.has(key)) resources.set(key, { resource: schema.resource, path: [...path, 'resource'] });
  }
  if (resources.size > MAX_RESOURCES)
    throw new DefinitionRefused([
      problem([], `a definition has at most ${MAX_RESOURCES} schemas elsewhere, this one ${resources.size}`),
    ]);
  const results = await Promise.all(
    [...resources].map(async ([key, { resource, path }]) => {
      try {
        return { key, document: await read(resource) };
      } catch (error) {
        if (!(error instanceof TaskFailure)) throw error;
        const { detail, title } = error.error;
        return {
          issue: at(references, problem(path, `the schema cannot be fetched: ${detail ?? title ?? 'no reason'}`)),
        };
      }
    }),
  );
  const issues = results.flatMap(({ issue }) => (issue === undefined ? [] : [issue]));
  if (issues.length > 0) throw new DefinitionRefused(issues);
  return new Map(results.flatMap(({ key, document }) => (key === undefined ? [] : [[key, document ?? null] as const])));
}

/** Returns the task context of a request during a release, which has no execution. */
function contextOf({
  ownerId,
  secretNames,
  signal,
}: Pick<TaskContext, 'ownerId' | 'secretNames' | 'signal'>): TaskContext {
  return {
    signal,
    idempotencyKey: '',
    executionId: '',
    workflowId: '',
    ownerId,
    step: 'schema',
    secretNames,
    causation: 0,
  };
}

/** Adds the position of the reference to an issue of a fetched schema, which has no position itself. */
function at<Issue extends { readonly path: Path }>(references: readonly LocatedReference[], issue: Issue): Issue {
  const isOf = ({ path }: Reference) =>
    path.slice(0, -1).every((step, index) => step === issue.path[index]) && issue.path.length >= path.length;
  const { line, column } = references.find(isOf) ?? {};
  return line === undefined ? issue : { ...issue, line, column };
}
