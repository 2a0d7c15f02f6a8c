import type { JsonValue } from '../../json-value.ts';
import type { ResourceReference } from './call-task.ts';
import type { SecretText } from './http-authentication.ts';

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

/** A script in the sandbox. */
export interface ScriptTask extends ProcessInput {
  readonly kind: 'script';
  readonly language: string;
  /** Empty if the code must be fetched from `source`. */
  readonly code: string;
  readonly source?: ResourceReference;
  readonly arguments: Readonly<Record<string, JsonValue>>;
  readonly environment: Readonly<Record<string, string>>;
  /** Default: `stdout`. */
  readonly return?: ProcessReturn;
}

/** A Python script, which runs as a process outside the sandbox. */
export interface PythonTask extends ProcessInput {
  readonly kind: 'python';
  readonly code: string;
  readonly source?: ResourceReference;
  readonly arguments: Readonly<Record<string, JsonValue>>;
  readonly environment: Readonly<Record<string, string>>;
  readonly return: ProcessReturn;
}

/** A command of the operating system. */
export interface ShellTask extends ProcessInput {
  readonly kind: 'shell';
  readonly command: string;
  /** Arguments of the command. */
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, SecretText>>;
  readonly return: ProcessReturn;
}

/** A process in a container. */
export interface ContainerTask {
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
