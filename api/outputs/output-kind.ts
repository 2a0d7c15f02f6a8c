import type { z } from 'zod';
import type { Output } from './port.ts';
import type { OutputReach } from './reach.ts';

/** Definition of a kind of output. See docs/contributing/add-an-output-kind.md. */
export interface OutputKindDefinition<Settings extends z.ZodObject, Secrets extends z.ZodObject> {
  /** Name in forms and lists. */
  readonly label: string;
  /** Summary of what the receiver gets, in one sentence. */
  readonly description: string;
  /** Position in lists, from 1. Kinds without it follow, by name. */
  readonly order?: number;
  /** Strict zod object. Every field has `title`, and `description` where the title does not explain it. */
  readonly settings: Settings;
  /** As `settings`. They are encrypted at rest and never returned in a response. */
  readonly secrets: Secrets;
  /**
   * Settings that identify the receiver. When one of them changes, the secrets must be set again. Otherwise a user who
   * may change outputs could send the secrets to another server.
   */
  readonly receiver: readonly (keyof z.output<Settings> & string)[];
  /** Returns why this installation cannot reach such a receiver, and what to configure. Undefined if it can. */
  readonly unavailable?: (reach: OutputReach) => string | undefined;
  /** True for kinds whose receiver has `deliverCase`. Default false. */
  readonly sendsCases?: boolean;
  /** Opens the receiver of one output. Called only if `unavailable` returned undefined. */
  readonly open: (target: OutputTarget<Settings, Secrets>) => Output;
}

/** One output to open. */
export interface OutputTarget<Settings extends z.ZodObject, Secrets extends z.ZodObject> {
  readonly reach: OutputReach;
  readonly outputId: string;
  readonly settings: z.output<Settings>;
  readonly secrets: z.output<Secrets>;
}

/** A kind of output that validates settings and secrets when it opens a receiver. */
export interface OutputKind extends Omit<OutputKindDefinition<z.ZodObject, z.ZodObject>, 'receiver' | 'open'> {
  readonly receiver: readonly string[];
  /** Throws a `ZodError` for invalid settings or secrets. */
  readonly open: (target: {
    readonly reach: OutputReach;
    readonly outputId: string;
    readonly settings: unknown;
    readonly secrets: unknown;
  }) => Output;
}

/** Defines a kind of output, for the export `kind` of a file in `kinds/`. */
export function defineOutputKind<Settings extends z.ZodObject, Secrets extends z.ZodObject>(
  definition: OutputKindDefinition<Settings, Secrets>,
): OutputKind {
  const { settings, secrets, open } = definition;
  return {
    ...definition,
    open: (target) =>
      open({ ...target, settings: settings.parse(target.settings), secrets: secrets.parse(target.secrets) }),
  };
}
