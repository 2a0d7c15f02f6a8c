import type { JsonValue } from '../../json-value.ts';
import type { EngineFeatures } from '../contract/engine-features.ts';
import type { ExternalTask } from '../contract/external-task.ts';
import type { Step } from '../interpreter/frames.ts';
import type { JsonObject } from '../interpreter/json.ts';

type Path = readonly (string | number)[];

/** Collects problems with the arguments of a call. Paths begin at `with`. */
export interface CallChecker {
  /** Adds a refusal of the kind `call`, with this key of `refusals`. */
  refuse(reason: string, path: Path, detail?: string): void;
  authentication(policy: JsonValue | undefined, path: Path): void;
  /** Checks the address and the authentication of an endpoint. */
  endpoint(endpoint: JsonValue | undefined, path: Path): void;
  /** Features that the operator has enabled. */
  readonly features: EngineFeatures;
}

/** A protocol of the `call` task: one file in `calls/` and one line in `calls.ts`. */
export interface CallProtocol {
  /** One sentence that states which part of the protocol is supported. */
  readonly note: string;
  /** JSON schema of `with`, for a call that the published schema of the language lacks. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Paths in `with` that hold expressions; see `TaskKindDefinition.expressions`. */
  readonly expressions?: readonly string[];
  /** Builds the task that the worker runs from the arguments in `with`. Throws a `Fault`. */
  readonly prepare: (step: Step) => Promise<ExternalTask>;
  /** Reasons to refuse a definition at release, by key. */
  readonly refusals?: Readonly<Record<string, string>>;
  readonly check?: (given: JsonObject, checker: CallChecker) => void;
  /** Returns a short label of the call target. */
  readonly detail?: (given: JsonObject) => string | undefined;
}
