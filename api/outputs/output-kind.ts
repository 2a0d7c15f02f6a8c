import type { z } from 'zod';
import type { Output } from './port.ts';
import type { OutputReach } from './reach.ts';

/** What a kind of output consists of. See docs/contributing/add-an-output-kind.md. */
export interface OutputKindDefinition<Settings extends z.ZodObject, Secrets extends z.ZodObject> {
  /** Name in forms and lists. */
  readonly label: string;
  /** What the receiver gets, in one sentence. */
  readonly description: string;
  /** Place in lists, from 1. Kinds without it follow, by name. */
  readonly order?: number;
  /** Strict zod object. Every field has `title`, and `description` where the title does not explain it. */
  readonly settings: Settings;
  /** As `settings`. They are encrypted at rest, and no response contains them. */
  readonly secrets: Secrets;
  /**
   * Settings that say who the receiver is. When one of them changes, the secrets must be set again: otherwise a user who may change
   * outputs could send them to another server.
   */
  readonly receiver: readonly (keyof z.output<Settings> & string)[];
  /** Why this installation cannot reach such a receiver, and what to set; undefined when it can. */
  readonly unavailable?: (reach: OutputReach) => string | undefined;
  /** True for kinds whose receiver has `deliverCase`. Default false. */
  readonly sendsCases?: boolean;
  /** Returns the receiver of one output. Called only when `unavailable` returned undefined. */
  readonly open: (target: OutputTarget<Settings, Secrets>) => Output;
}

/** One output to open. */
export interface OutputTarget<Settings extends z.ZodObject, Secrets extends z.ZodObject> {
  readonly reach: OutputReach;
  readonly outputId: string;
  readonly settings: z.output<Settings>;
  readonly secrets: z.output<Secrets>;
}

/** A kind of output whose settings and secrets are checked when it is opened. */
export interface OutputKind extends Omit<OutputKindDefinition<z.ZodObject, z.ZodObject>, 'receiver' | 'open'> {
  readonly receiver: readonly string[];
  /** Throws a `ZodError` for settings and secrets that the kind does not accept. */
  readonly open: (target: {
    readonly reach: OutputReach;
    readonly outputId: string;
    readonly settings: unknown;
    readonly secrets: unknown;
  }) => Output;
}

/** Defines a kind of output, for the export `kind` of a file of `kinds/`. */
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
