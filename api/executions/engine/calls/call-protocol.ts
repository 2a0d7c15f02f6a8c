import type { JsonValue } from '../../json-value.ts';
import type { Step } from '../interpreter/frames.ts';
import type { JsonObject } from '../interpreter/json.ts';
import type { EngineFeatures, ExternalTask } from '../port.ts';

type Path = readonly (string | number)[];

/** Reports what is wrong with the arguments of a call. Paths begin at `with`. */
export interface CallChecker {
  /** Adds a refusal of the kind `call`, by the name of its reason. */
  refuse(reason: string, path: Path, detail?: string): void;
  authentication(policy: JsonValue | undefined, path: Path): void;
  /** Checks the address of a request, and how it authenticates. */
  endpoint(endpoint: JsonValue | undefined, path: Path): void;
  /** What the operator allows. */
  readonly features: EngineFeatures;
}

/** A protocol that `call` speaks: a file of `calls/` and a line in `calls.ts`. */
export interface CallProtocol {
  /** What of it runs here, in a sentence. */
  readonly note: string;
  /** Schema of `with`, for a call that the published schema of the language does not have. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Places in `with`; see `TaskKindDefinition.expressions`. */
  readonly expressions?: readonly string[];
  /** The task that the worker does, from the arguments in `with`. Throws a `Fault`. */
  readonly prepare: (step: Step) => Promise<ExternalTask>;
  /** Reasons why parts are refused when a definition is released, by name. */
  readonly refusals?: Readonly<Record<string, string>>;
  readonly check?: (given: JsonObject, checker: CallChecker) => void;
  /** What is called, in a few words. */
  readonly detail?: (given: JsonObject) => string | undefined;
}
