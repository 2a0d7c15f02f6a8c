import { EXECUTION_STATUSES, type ExecutionStatus, TERMINAL_STATUSES } from '#schemas/api/execution-status.ts';
import type { ApprovalPolicy } from '../approvals/policy.ts';
import type { JsonValue } from '../json-value.ts';

/**
 * Interfaces between the three parts of the engine. The interpreter decides, without effects. The store keeps
 * executions, steps, timers, waits and signals in PostgreSQL. The worker claims an execution, runs the interpreter and
 * executes its commands. It writes result and state change in one transaction.
 */

export { EXECUTION_STATUSES, type ExecutionStatus, TERMINAL_STATUSES };

/**
 * Path of a task in a run: its JSON pointer in the definition, with the iterations of enclosing loops, such as
 * `/do/1/each/for[3]/do/0/enrich`. The same step of a run has the same path in every process.
 */
export type StepPath = string;

/** An error of the workflow language, in the format of RFC 9457. */
export interface WorkflowError {
  /** For example `https://serverlessworkflow.io/spec/1.0.0/errors/communication`. */
  readonly type: string;
  readonly status: number;
  readonly title?: string;
  readonly detail?: string;
  /** Path of the failed step. */
  readonly instance?: StepPath;
  /** If false, `retry` is not applied. `catch` still handles the error. */
  readonly retryable?: false;
}

/** Constant data of a run. Expressions see it as `$workflow` and `$runtime`. */
export interface RunContext {
  readonly executionId: string;
  /** Null for the operator. Not visible to expressions. */
  readonly ownerId: string | null;
  readonly workflow: { readonly id: string; readonly name: string; readonly version: string };
  readonly input: JsonValue;
  readonly startedAt: string;
  /** Outputs by step name. These steps are not executed. */
  readonly overrides: Readonly<Record<string, JsonValue>>;
  /** Names of the secrets that the definition may use. The worker inserts their values when it runs a task. */
  readonly secretNames: readonly string[];
  /** Key of the account of the run, for fair scheduling of schema checks. */
  readonly owner?: string | undefined;
}

/** Opaque JSON, read only by the interpreter. Stored in the row of the execution. */
export type InterpreterState = JsonValue;

/** An input of the interpreter. Events that no longer matter, such as the timer of an ended step, change nothing. */
export type EngineEvent =
  | {
      readonly type: 'task-completed';
      readonly step: StepPath;
      readonly attempt: number;
      readonly output: JsonValue;
      readonly at: string;
    }
  | {
      readonly type: 'task-failed';
      readonly step: StepPath;
      readonly attempt: number;
      readonly error: WorkflowError;
      /** If true, `try` does not catch it. */
      readonly fatal?: boolean;
      readonly at: string;
    }
  | { readonly type: 'timer-fired'; readonly timer: string; readonly at: string }
  | {
      readonly type: 'event-received';
      readonly wait: string;
      readonly events: readonly CloudEvent[];
      readonly at: string;
    }
  /** Responds to a `continue` command. */
  | { readonly type: 'continue'; readonly at: string }
  /**
   * The worker that ran the execution has died. The interpreter requests every open `run-task` again, with the same
   * attempt and key.
   */
  | { readonly type: 'recover'; readonly at: string };

/** CloudEvents 1.0, JSON format. */
export interface CloudEvent {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject?: string;
  readonly time?: string;
  readonly datacontenttype?: string;
  readonly data?: JsonValue;
  readonly [extension: string]: JsonValue | undefined;
}

/** An output of the interpreter, for the worker to execute. */
export type Command =
  /**
   * Runs an external task: an HTTP call, a script, a sub-workflow. `idempotencyKey` stays the same when the attempt is
   * repeated after a crash.
   */
  | {
      readonly type: 'run-task';
      readonly step: StepPath;
      readonly name: string;
      readonly attempt: number;
      readonly task: ExternalTask;
      readonly idempotencyKey: string;
    }
  | { readonly type: 'cancel-task'; readonly step: StepPath }
  | { readonly type: 'start-timer'; readonly timer: string; readonly at: string }
  | { readonly type: 'cancel-timer'; readonly timer: string }
  /** Waits for events. A wait occupies neither a worker nor a connection. */
  | {
      readonly type: 'listen';
      readonly wait: string;
      readonly step: StepPath;
      readonly filters: readonly EventFilter[];
      readonly mode: 'all' | 'any' | 'one';
      /** Approval policy. If set, only the event of a decision continues the wait. */
      readonly approval?: ApprovalPolicy | undefined;
    }
  | { readonly type: 'stop-listening'; readonly wait: string }
  /** The id is derived from execution, step and attempt, so a duplicate after a crash has the same id. */
  | { readonly type: 'emit'; readonly event: CloudEvent; readonly step: StepPath }
  /** The advance reached its limit: write its state, then call again with a `continue` event. */
  | { readonly type: 'continue' }
  | { readonly type: 'complete'; readonly output: JsonValue }
  | { readonly type: 'fail'; readonly error: WorkflowError };

/**
 * Reference to a secret, which the worker resolves when it sends a request. It cannot be forged: the interpreter
 * rejects external data with the key `$secret`, and only names declared in the definition become references. Only HTTP
 * calls may use secrets, because a script or sub-workflow could leak them.
 */
export interface SecretReference {
  readonly $secret: string;
}

/** A string, or a reference that the worker resolves. */
export type SecretText = string | SecretReference;

/** A token for a subject or an actor in a token exchange (RFC 8693). */
export interface OAuth2Token {
  readonly token: SecretText;
  readonly type: string;
}

/** Client authentication methods at an OAuth 2.0 token endpoint. */
export const CLIENT_AUTHENTICATIONS = [
  'client_secret_post',
  'client_secret_basic',
  'client_secret_jwt',
  'private_key_jwt',
  'none',
] as const;
export type ClientAuthentication = (typeof CLIENT_AUTHENTICATIONS)[number];

/** OAuth 2.0 grants without user interaction. */
export const GRANTS = [
  'client_credentials',
  'password',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:token-exchange',
] as const;
export type OAuth2Grant = (typeof GRANTS)[number];

/** An OAuth 2.0 or OpenID Connect policy. Stored executions from earlier versions lack the optional members. */
export interface OAuth2Policy {
  readonly scheme: 'oauth2';
  /** Address of the token endpoint, or of the discovery document if `discover` is set. */
  readonly tokenUrl: string;
  readonly discover?: true;
  /** Default: `client_credentials`. */
  readonly grant?: OAuth2Grant;
  readonly clientId?: SecretText;
  readonly clientSecret?: SecretText;
  /** For `private_key_jwt`: a signed JWT, or the private key that signs one for each token request. */
  readonly clientAssertion?: SecretText;
  readonly clientAuthentication: ClientAuthentication;
  /** Sends the token request as JSON instead of a form. */
  readonly json?: true;
  readonly scopes: readonly string[];
  readonly audiences: readonly string[];
  /** Accepted token issuers. If undefined, all are accepted. */
  readonly issuers?: readonly string[];
  readonly username?: SecretText;
  readonly password?: SecretText;
  readonly subject?: OAuth2Token;
  readonly actor?: OAuth2Token;
}

/**
 * Authentication of a call. `secret` names a secret. Its value is JSON `{username, password}` for basic and digest, the
 * token for bearer, the policy as JSON for `oauth2` and `oidc`, and PEM for `certificate`: see `readClientCertificate`.
 */
export type HttpAuthentication =
  | { readonly scheme: 'basic' | 'digest'; readonly username: SecretText; readonly password: SecretText }
  | { readonly scheme: 'basic' | 'digest'; readonly secret: string }
  | { readonly scheme: 'bearer'; readonly token: SecretText }
  | { readonly scheme: 'bearer'; readonly secret: string }
  | OAuth2Policy
  | { readonly scheme: 'oauth2-secret'; readonly secret: string; readonly oidc: boolean }
  | { readonly scheme: 'certificate'; readonly secret: string };

/** Which result of a process becomes the output of its task. */
export type ProcessReturn = 'stdout' | 'stderr' | 'code' | 'all' | 'none';

/** Input of a script or process, and whether the step waits for it. */
export interface ProcessInput {
  /** Command-line arguments. */
  readonly argv?: readonly string[];
  /** Contents of standard input. */
  readonly stdin?: string;
  /** If true, the step does not wait: its output is its input. */
  readonly detached?: boolean;
}

/** When to pull the image of a container. */
export const PULL_POLICIES = ['ifNotPresent', 'always', 'never'] as const;
export type ContainerPullPolicy = (typeof PULL_POLICIES)[number];

/** Optional features of definitions, which the operator can enable. Disabled by default. */
export interface EngineFeatures {
  /** `run: shell`. */
  readonly shell: boolean;
  /** `run: container`. */
  readonly containers: boolean;
  /** Enables `volumes` and `ports` of containers. */
  readonly containerVolumes?: boolean;
  readonly containerPorts?: boolean;
  /** If false, `resource` of a schema is rejected, because releases do not fetch it. */
  readonly schemaResources?: boolean;
}

/** An external document: an API description, a function, a schema. */
export interface ResourceReference {
  readonly endpoint: string;
  readonly authentication?: HttpAuthentication;
}

/**
 * An external task. Its arguments are evaluated. Secrets are still references (`{"$secret": "name"}`): as whole values
 * of headers, query and authentication, and anywhere in a body.
 */
export type ExternalTask =
  | {
      readonly kind: 'http';
      readonly method: string;
      readonly endpoint: string;
      readonly headers: Readonly<Record<string, SecretText>>;
      readonly query: Readonly<Record<string, SecretText>>;
      readonly authentication?: HttpAuthentication;
      readonly body: JsonValue | undefined;
      readonly output: 'content' | 'response' | 'raw';
      /** If true, statuses 300 to 399 are not errors. */
      readonly redirect: boolean;
    }
  | {
      readonly kind: 'openapi';
      readonly document: ResourceReference;
      readonly operationId: string;
      readonly parameters: Readonly<Record<string, JsonValue>>;
      readonly authentication?: HttpAuthentication;
      readonly output: 'content' | 'response' | 'raw';
      readonly redirect: boolean;
    }
  | {
      readonly kind: 'asyncapi';
      readonly document: ResourceReference;
      /** A channel of AsyncAPI 2, or an operation of AsyncAPI 3. */
      readonly channel?: string;
      readonly operation?: string;
      readonly server?: { readonly name: string; readonly variables: Readonly<Record<string, JsonValue>> };
      readonly protocol?: string;
      readonly authentication?: HttpAuthentication;
      readonly message?: { readonly payload: JsonValue; readonly headers: Readonly<Record<string, SecretText>> };
      readonly subscription?: MessageSubscription;
    }
  | {
      readonly kind: 'grpc';
      readonly proto: ResourceReference;
      readonly service: string;
      readonly host: string;
      /** If undefined, the default port of TLS. */
      readonly port?: number;
      readonly authentication?: HttpAuthentication;
      readonly method: string;
      /** One message. A list: the messages of a stream. */
      readonly arguments: Readonly<Record<string, JsonValue>> | readonly JsonValue[];
    }
  | {
      readonly kind: 'mcp';
      /**
       * Exactly one of these is set: an HTTP address, or a program that communicates over standard input and output.
       */
      readonly server?: ResourceReference;
      readonly program?: {
        readonly command: string;
        readonly arguments: readonly string[];
        readonly environment: Readonly<Record<string, SecretText>>;
      };
      readonly headers: Readonly<Record<string, SecretText>>;
      readonly method: string;
      readonly parameters: JsonValue;
      /** If undefined, the newest version that both sides support. */
      readonly protocolVersion?: string;
      /** Timeout of the call, including the session setup. */
      readonly timeoutMs?: number;
      readonly client: { readonly name: string; readonly version: string };
    }
  | {
      readonly kind: 'a2a';
      /** At least one of these is set. `server` overrides the address in the card. */
      readonly server?: ResourceReference;
      readonly agentCard?: ResourceReference;
      readonly method: string;
      readonly parameters: JsonValue;
    }
  /** Fetches a function of a catalog. The output is a task of the language. */
  | { readonly kind: 'catalog'; readonly document: ResourceReference }
  | ({
      readonly kind: 'script';
      readonly language: string;
      /** Empty if the code must be fetched from `source`. */
      readonly code: string;
      readonly source?: ResourceReference;
      readonly arguments: Readonly<Record<string, JsonValue>>;
      readonly environment: Readonly<Record<string, string>>;
      /** Default: `stdout`. */
      readonly return?: ProcessReturn;
    } & ProcessInput)
  | ({
      /** A Python script, which runs as a process outside the sandbox. */
      readonly kind: 'python';
      readonly code: string;
      readonly source?: ResourceReference;
      readonly arguments: Readonly<Record<string, JsonValue>>;
      readonly environment: Readonly<Record<string, string>>;
      readonly return: ProcessReturn;
    } & ProcessInput)
  | ({
      readonly kind: 'shell';
      readonly command: string;
      /** Arguments of the command. */
      readonly arguments: readonly string[];
      readonly environment: Readonly<Record<string, SecretText>>;
      readonly return: ProcessReturn;
    } & ProcessInput)
  | {
      readonly kind: 'container';
      readonly image: string;
      readonly name: string;
      /** If undefined, the command of the image. */
      readonly command?: string;
      readonly arguments?: readonly string[];
      readonly environment: Readonly<Record<string, SecretText>>;
      /** Contents of standard input. */
      readonly stdin?: string;
      /** Default: `ifNotPresent`. */
      readonly pullPolicy?: ContainerPullPolicy;
      /** Host directory or volume name → path in the container. */
      readonly volumes?: Readonly<Record<string, string>>;
      /** Host port → container port. */
      readonly ports?: Readonly<Record<string, string>>;
      /** If true, the container is kept after it ends. */
      readonly keep: boolean;
      /**
       * Delay from the end of the container until it is removed. If undefined, it is removed when it ends, unless
       * `keep` is set.
       */
      readonly removeAfterMs?: number;
      readonly return: ProcessReturn;
      /** As in `ProcessInput`. */
      readonly detached?: boolean;
    }
  | {
      readonly kind: 'workflow';
      readonly slug: string;
      readonly version: string;
      readonly input: JsonValue;
      readonly await: boolean;
    }
  /** Runs on an external worker that leases tasks of the queue; see `worker-tasks/`. */
  | {
      readonly kind: 'worker';
      readonly queue: string;
      readonly type: string;
      readonly input: JsonValue;
      /** Time at which the timeout of the step ends the task. */
      readonly deadline?: string;
    };

/** Prefix of event types reserved for the service, in lower case. Callers and workflows cannot send them. */
export const OWN_TYPES = 'trapline.';

/**
 * Attributes that an event must have, and its correlation with the run. A router may filter by some attributes only
 * (type, source) and deliver too many events. The interpreter checks each event against the whole filter
 * (`event-match.ts`) and keeps waiting if it does not match. So a wait stays open until `stop-listening`.
 */
export interface EventFilter {
  /**
   * Attribute → exact value, or a regular expression if the definition has one. `data` may be an expression that must
   * be true for the data.
   */
  readonly with: Readonly<Record<string, JsonValue>>;
  /** Correlation name → expected value of the expression `from`, which is evaluated on the event. */
  readonly correlate: Readonly<Record<string, { readonly from: string; readonly expect?: JsonValue }>>;
}

export type StepStatus = 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled' | 'skipped';

/** A change of a step, for the trace. */
export interface StepRecord {
  readonly step: StepPath;
  readonly name: string;
  /** Key of the task kind: `set`, `call`, `for` … */
  readonly kind: string;
  readonly status: StepStatus;
  readonly attempt: number;
  readonly at: string;
  readonly input?: JsonValue;
  readonly output?: JsonValue;
  readonly error?: WorkflowError;
}

/** Result of one advance: the new state, commands and step records. */
export interface Advance {
  readonly state: InterpreterState;
  readonly commands: readonly Command[];
  readonly steps: readonly StepRecord[];
  /** True if there is nothing to do before a timer fires or an event arrives, or if the run has ended. */
  readonly idle: boolean;
  /** Events that were not handled because earlier ones used up the step limit. Pass them again in the next call. */
  readonly left?: readonly EngineEvent[];
}

/**
 * Evaluates a jq expression within limits on time and size. Rejects with an expression error. Pure: the same arguments
 * return the same value.
 */
export type Evaluate = (
  expression: string,
  input: JsonValue,
  variables: Readonly<Record<string, JsonValue>>,
) => Promise<JsonValue>;

/**
 * `Evaluate` with an account. An evaluator instance never serves two accounts, so data in its memory cannot leak
 * between them.
 */
export type EvaluateFor = (...given: [...Parameters<Evaluate>, account?: string | undefined]) => Promise<JsonValue>;

/**
 * Which messages a subscription accepts, and when it ends: at the first end condition that applies. Expressions are
 * evaluated for each message.
 */
export interface MessageSubscription {
  /** Messages for which it is false are ignored and not counted. */
  readonly filter?: string;
  /** At least one end condition is set. */
  readonly amount?: number;
  readonly forMs?: number;
  /** Ends the subscription with the first message for which it is false. This message is included. */
  readonly while?: string;
  /** Ends the subscription before the first message for which it is true. This message is excluded. */
  readonly until?: string;
  /** Values of the variables that the expressions use, fixed when the task begins. */
  readonly variables?: Readonly<Record<string, JsonValue>>;
}

/** Pure except for the cost of `evaluate`: it uses no clock, store or network. */
export interface Interpreter {
  start(definition: WorkflowDefinition, run: RunContext, at: string, limits?: AdvanceLimits): Promise<Advance>;
  advance(
    definition: WorkflowDefinition,
    run: RunContext,
    state: InterpreterState,
    /** One event, or several in order. A single call for several events is cheaper than one call per event. */
    events: EngineEvent | readonly EngineEvent[],
    limits?: AdvanceLimits,
  ): Promise<Advance>;
}

/** Limits of one call. */
export interface AdvanceLimits {
  /**
   * Number of steps that may begin. With 0, events can still end steps, so a run can be suspended without losing
   * outcomes.
   */
  readonly steps: number;
}

/** A workflow of the Serverless Workflow DSL 1.0: parsed, valid, and limited to supported features. */
export type WorkflowDefinition = Readonly<Record<string, JsonValue>>;
