import type { JsonValue } from '../json-value.ts';
import type { EngineFeatures } from './contract/engine-features.ts';
import type { Handler } from './interpreter/frames.ts';
import type { JsonObject } from './interpreter/json.ts';

/** Defines a task kind of the workflow language. See docs/contributing/add-a-task-kind.md. */
export interface TaskKindDefinition<Refusal extends string> {
  /** One or two sentences that state what is supported. */
  readonly note: string;
  /**
   * Schema of a task of this kind: the name of a definition in the JSON Schema of the language, or a separate schema if
   * the language lacks the kind.
   */
  readonly schema: string | Readonly<Record<string, unknown>>;
  /** Keys that make the task another kind even if it has this key: a `for` also has a `do`. */
  readonly notBeside?: readonly string[];
  /** Begins or continues a task. Pure, except that it adds commands and records to the run. */
  readonly run: Handler;
  /**
   * What the task does after it begins: `inside` computes, `waits` waits for a timer or event, `outside` runs
   * externally and is measured.
   */
  readonly work?: 'inside' | 'waits' | 'outside';
  /** True if its outcome names the next task. */
  readonly directs?: boolean;
  /** Returns the task lists inside a task. */
  readonly lists?: (task: JsonObject) => readonly InnerList[];
  /**
   * Returns paths of members that are expressions with or without `${ }`: keys separated by `/`, where `*` is every
   * key. A release compiles them.
   */
  readonly expressions?: (task: JsonObject) => readonly string[];
  /** Paths, in the same notation, in which nothing is evaluated. */
  readonly plain?: readonly string[];
  /** Reasons to refuse parts of the kind at release, by name. */
  readonly refusals?: Readonly<Record<Refusal, string>>;
  /** Finds refused parts and unknown references beyond the schema and the task lists. */
  readonly check?: (task: JsonObject, checker: TaskChecker<Refusal>) => void;
  /** Control flow of the task in a chart. Default: `sequence`. */
  readonly flow?: TaskFlow;
  /** Returns the cases that lead to other tasks, for a chart. */
  readonly cases?: (task: JsonObject) => readonly TaskCase[];
  /** Returns a short description for lists and charts: what is called, what is iterated. */
  readonly detail?: (task: JsonObject) => string | undefined;
}

/**
 * `sequence`: the inner lists, then the next task. `parallel`: all inner lists concurrently. `attempt`: the first inner
 * list, and the second one after an error. `choice`: one of the cases. `end`: no next task.
 */
export type TaskFlow = 'sequence' | 'parallel' | 'attempt' | 'choice' | 'end';

/** A list of tasks inside a task. */
export interface InnerList {
  /** Purpose of the list: `do`, `try`, `catch`, `foreach` or `branch`. */
  readonly role: string;
  /** Keys from the task to the list. */
  readonly keys: readonly string[];
  readonly tasks: JsonValue | undefined;
  /** Path of the list in step paths, without loop iterations, if it differs from the keys. */
  readonly path?: string;
  /** If true, items are independent: no item jumps to another. */
  readonly alone?: boolean;
}

export interface TaskCase {
  readonly name: string;
  /** Undefined for the default case. */
  readonly when: string | undefined;
  readonly next: string | undefined;
}

type Path = readonly (string | number)[];

/** Collects refusals. Paths begin at the task. */
export interface TaskChecker<Refusal extends string> {
  /** Adds a refusal. `detail` precedes the reason. */
  refuse(refusal: Refusal, path: Path, detail?: string): void;
  /** If `name` is a name, checks that `use.<group>` declares it. */
  reference(group: string, name: JsonValue | undefined, path: Path): void;
  /** Checks that a directive (`then`) names a task of the same list. */
  directive(next: JsonValue | undefined, path: Path): void;
  /** Checks schemas in `input`, `output` and `export`. */
  data(of: JsonObject, path: Path): void;
  authentication(policy: JsonValue | undefined, path: Path): void;
  /** Checks the address and the authentication of an endpoint. */
  endpoint(endpoint: JsonValue | undefined, path: Path): void;
  /** Features that the operator has enabled. */
  readonly features: EngineFeatures;
  /** Returns the function of this name, from `use.functions` or the built-in functions. */
  functionNamed(name: string): JsonValue | undefined;
  /** Returns the catalog of this name from `use.catalogs`. */
  catalogNamed(name: string): JsonValue | undefined;
}

/** A task kind in the registry. */
export type TaskKind = TaskKindDefinition<string>;

/** Defines a task kind, for the export `kind` of a file in `kinds/`. */
export function defineTaskKind<Refusal extends string = never>(definition: TaskKindDefinition<Refusal>): TaskKind {
  return definition as unknown as TaskKind;
}

const MAX_DETAIL = 60;

/** Shortens a detail for charts. */
export function shortDetail(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  return text.length <= MAX_DETAIL ? text : `${text.slice(0, MAX_DETAIL - 1).toWellFormed()}…`;
}
