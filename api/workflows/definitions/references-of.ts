import type { JsonValue } from '#api/executions/json-value.ts';
import type { FoundExpression } from './expressions-of.ts';
import { type DefinitionIssue, problem } from './issue.ts';
import { isRecord, type JsonRecord, type Path, tasksOf } from './walk.ts';

/** A name in a definition that refers to something outside it. */
export interface Reference {
  readonly name: string;
  readonly path: Path;
}

export interface References {
  /** Slugs of the workflows and blocks that it runs. */
  readonly workflows: readonly Reference[];
  /** Secrets declared in `use.secrets`. */
  readonly secrets: readonly Reference[];
}

const SECRET_USE = /\$secrets\s*(?:\.\s*([A-Za-z_]\w*)|(?:\.\s*)?(?:\[\s*)?"([^"]+)")/g;

/** Returns the external references of a definition. Names from expressions are unknown before a run. */
export function referencesOf(definition: JsonRecord): References {
  const workflows = tasksOf(definition).flatMap(({ task, path }): Reference[] => {
    const run = isRecord(task.run) ? task.run.workflow : undefined;
    const name = isRecord(run) ? run.name : undefined;
    return typeof name === 'string' && !name.includes('${')
      ? [{ name, path: [...path, 'run', 'workflow', 'name'] }]
      : [];
  });
  return { workflows, secrets: declaredSecrets(definition) };
}

/**
 * Returns problems for secrets that expressions use without a declaration in `use.secrets`. They would be rejected in a
 * run.
 */
export function undeclaredSecrets(definition: JsonRecord, expressions: readonly FoundExpression[]): DefinitionIssue[] {
  const declared = new Set(declaredSecrets(definition).map(({ name }) => name));
  return expressions.flatMap(({ expression, path }) =>
    [...expression.matchAll(SECRET_USE)].flatMap(([, plain, quoted]) => {
      const name = plain ?? quoted ?? '';
      return declared.has(name) ? [] : [problem(path, `the secret '${name}' is not declared under use.secrets`)];
    }),
  );
}

function declaredSecrets({ use }: JsonRecord): Reference[] {
  const names: JsonValue | undefined = isRecord(use) ? use.secrets : undefined;
  if (!Array.isArray(names)) return [];
  return names.flatMap((name, index) => (typeof name === 'string' ? [{ name, path: ['use', 'secrets', index] }] : []));
}
