import type { JsonValue } from '../json-value.ts';
import type { Handler } from './interpreter/frames.ts';
import type { JsonObject } from './interpreter/json.ts';
import type { EngineFeatures } from './port.ts';

/** What a kind of task of the workflow language consists of. See docs/contributing/add-a-task-kind.md. */
export interface TaskKindDefinition<Refusal extends string> {
  /** What of it runs here, in a sentence or two. */
  readonly note: string;
  /**
   * Schema of a task of this kind: the name of a definition in the JSON Schema of the language, or an own schema for a kind that the
   * language does not have.
   */
  readonly schema: string | Readonly<Record<string, unknown>>;
  /** Keys that make a task another kind although it has this key too: a `for` has a `do` of its own. */
  readonly notBeside?: readonly string[];
  /** Begins or continues a task. A pure function of the step, but for the commands and records that it adds to the run. */
  readonly run: Handler;
  /** What the task does after it began: it works, it waits for a timer or an event, or it works outside the engine (measured). */
  readonly work?: 'inside' | 'waits' | 'outside';
  /** Whether its outcome names the next task. */
  readonly directs?: boolean;
  /** Task lists inside a task of this kind. */
  readonly lists?: (task: JsonObject) => readonly InnerList[];
  /** Places in a task whose text is an expression with or without `${ }`: keys, separated by `/`; `*` is every key. A release compiles them. */
  readonly expressions?: (task: JsonObject) => readonly string[];
  /** Places, written in the same way, in which nothing is evaluated. */
  readonly plain?: readonly string[];
  /** Reasons why parts of the kind are refused when a definition is released, by name. */
  readonly refusals?: Readonly<Record<Refusal, string>>;
  /** Finds refused parts and unknown references beyond the schema and the task lists. */
  readonly check?: (task: JsonObject, checker: TaskChecker<Refusal>) => void;
  /** How control leaves a task in a chart. Default: `sequence`. */
  readonly flow?: TaskFlow;
  /** Cases that lead to other tasks, in a chart. */
  readonly cases?: (task: JsonObject) => readonly TaskCase[];
  /** More about a task in a few words, for lists and charts: what is called, what is iterated. */
  readonly detail?: (task: JsonObject) => string | undefined;
}

/**
 * `sequence`: the inner lists, then the next task. `parallel`: all inner lists at once. `attempt`: the first inner list, the second one after
 * an error. `choice`: one of the cases. `end`: no task follows.
 */
export type TaskFlow = 'sequence' | 'parallel' | 'attempt' | 'choice' | 'end';

/** A list of tasks inside a task. */
export interface InnerList {
  /** What the list is for: `do`, `try`, `catch`, `foreach`, `branch`. */
  readonly role: string;
  /** Place of the list in the task: keys from the task to the list. */
  readonly keys: readonly string[];
  readonly tasks: JsonValue | undefined;
  /** Path of the list in steps of executions, without turns of loops, where it differs from the keys. */
  readonly path?: string;
  /** Each item stands alone: no item leads to another. */
  readonly alone?: boolean;
}

export interface TaskCase {
  readonly name: string;
  /** Undefined: every other value. */
  readonly when: string | undefined;
  readonly next: string | undefined;
}

type Path = readonly (string | number)[];

/** Reports what is refused. Paths begin at the task. */
export interface TaskChecker<Refusal extends string> {
  /** Adds a refusal; `detail` is put before the reason. */
  refuse(refusal: Refusal, path: Path, detail?: string): void;
  /** Checks that `use.<group>` has the name, when it is a name. */
  reference(group: string, name: JsonValue | undefined, path: Path): void;
  /** Checks that a directive (`then`) names a task of the same list. */
  directive(next: JsonValue | undefined, path: Path): void;
  /** Checks schemas in `input`, `output` and `export`. */
  data(of: JsonObject, path: Path): void;
  authentication(policy: JsonValue | undefined, path: Path): void;
  /** Checks the address of a request, and how it authenticates. */
  endpoint(endpoint: JsonValue | undefined, path: Path): void;
  /** What the operator allows. */
  readonly features: EngineFeatures;
  /** The function of this name in `use.functions` or of the product. */
  functionNamed(name: string): JsonValue | undefined;
  /** The catalog of this name in `use.catalogs`. */
  catalogNamed(name: string): JsonValue | undefined;
}

/** A kind as the registry holds it. */
export type TaskKind = TaskKindDefinition<string>;

/** Defines a kind of task, for the export `kind` of a file of `kinds/`. */
export function defineTaskKind<Refusal extends string = never>(definition: TaskKindDefinition<Refusal>): TaskKind {
  return definition as unknown as TaskKind;
}

const MAX_DETAIL = 60;

/** A detail for charts, shortened. */
export function shortDetail(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  return text.length <= MAX_DETAIL ? text : `${text.slice(0, MAX_DETAIL - 1).toWellFormed()}…`;
}
