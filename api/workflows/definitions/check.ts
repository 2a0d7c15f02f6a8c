import type { JqInstance } from '#api/executions/expressions/jq-instance.ts';
import { limitExpressions, limitProblems } from '#api/executions/limits/declared-limits.ts';
import { scheduleProblem } from '../triggers/spec.ts';
import { checkApprovals, namedApprovers } from './check-approvals.ts';
import { checkExpressions } from './check-expressions.ts';
import { checkPatterns } from './check-patterns.ts';
import { checkSchemas } from './check-schemas.ts';
import { expressionsOf } from './expressions-of.ts';
import { type DefinitionIssue, MAX_ISSUES, problem } from './issue.ts';
import { type ReadYaml, readYaml } from './read-yaml.ts';
import { type Reference, referencesOf, undeclaredSecrets } from './references-of.ts';
import { schemaResources } from './schema-places.ts';
import { validateShape } from './validate-shape.ts';
import { variablesAt } from './variables.ts';
import { isRecord, type JsonRecord, type Path, tasksOf } from './walk.ts';

/** Maximum number of tasks. No person could read a larger definition. */
export const MAX_TASKS = 10_000;

/** Returns the unsupported parts of a valid definition. */
export type CheckSupported = (definition: JsonRecord) => readonly { readonly path: Path; readonly message: string }[];

/** A reference with its position in the text. */
export interface LocatedReference extends Reference {
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

export type CheckedDefinition =
  | {
      readonly ok: true;
      readonly definition: JsonRecord;
      readonly tasks: number;
      /** References to look up outside the definition: other workflows, secrets. */
      readonly references: {
        readonly workflows: readonly LocatedReference[];
        readonly secrets: readonly LocatedReference[];
        /** Users and teams named as approvers. */
        readonly users: readonly LocatedReference[];
        readonly teams: readonly LocatedReference[];
        /** Schemas to fetch at release; the name is the address. */
        readonly schemas: readonly LocatedReference[];
      };
    }
  | { readonly ok: false; readonly issues: readonly DefinitionIssue[] };

/**
 * Validates everything that depends only on the text: YAML within limits, the schema of the language, unsupported
 * features, expressions, names. Stops after the first stage with problems, because later stages would report
 * consequences of them.
 */
export function checkDefinition(
  text: string,
  { jq, checkSupported }: { readonly jq: Pick<JqInstance, 'run'>; readonly checkSupported: CheckSupported },
): CheckedDefinition {
  const read = readYaml(text);
  if ('issues' in read) return { ok: false, issues: read.issues.slice(0, MAX_ISSUES) };
  const refuse = (issues: readonly DefinitionIssue[]): CheckedDefinition => ({
    ok: false,
    issues: issues.slice(0, MAX_ISSUES).map((issue) => ({ ...issue, ...read.locate(issue.path) })),
  });

  const shape = validateShape(read.value);
  if (shape.length > 0 || !isRecord(read.value)) return refuse(shape);
  const definition = read.value;
  const tasks = tasksOf(definition).length;
  if (tasks > MAX_TASKS)
    return refuse([problem(['do'], `a definition has at most ${MAX_TASKS} tasks, this one ${tasks}`)]);

  const unsupported = checkSupported(definition).map(({ path, message }) => problem(path, message));
  if (unsupported.length > 0) return refuse(unsupported);
  const expressions = expressionsOf(definition);
  const schedule = scheduleProblem(definition);
  const wrong = [
    ...(schedule === undefined ? [] : [problem(['schedule'], schedule)]),
    ...limitProblems(definition).map(({ path, message }) => problem(path, message)),
    ...checkExpressions([...expressions, ...limitExpressions(definition)], variablesAt(definition), jq),
    ...undeclaredSecrets(definition, expressions),
    ...checkSchemas(definition),
    ...checkPatterns(definition),
    ...checkApprovals(definition),
  ];
  if (wrong.length > 0) return refuse(wrong);

  const { workflows, secrets } = referencesOf(definition);
  const { users, teams } = namedApprovers(definition);
  return {
    ok: true,
    definition,
    tasks,
    references: {
      workflows: workflows.map(located(read)),
      secrets: secrets.map(located(read)),
      users: users.map(located(read)),
      teams: teams.map(located(read)),
      schemas: schemaResources(definition).map(located(read)),
    },
  };
}

function located({ locate }: ReadYaml): (reference: Reference) => LocatedReference {
  return (reference) => ({ ...reference, ...locate(reference.path) });
}
