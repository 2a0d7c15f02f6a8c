import type { JsonValue } from '#api/executions/json-value.ts';
import type { SeededRandom } from '#test/support/seeded-random.ts';

export const KINDS = ['definition', 'schema', 'expression', 'script'] as const;
export type Kind = (typeof KINDS)[number];

/** One input of the fuzzer. The same seed and number give the same case on any machine. */
export interface Case {
  /** Position in the run, from 0. */
  readonly number: number;
  readonly kind: Kind;
  /** Name of the generator, such as `script/promise-flood`; `--without` leaves generators out by the beginning of this name. */
  readonly template: string;
  /** The YAML, the JSON Schema as JSON, the jq expression or the JavaScript. */
  readonly text: string;
  /** Checked against the schema, or the input of the run. */
  readonly input: JsonValue;
}

/** Makes the text of one case. `slow` templates are expected to use up a time limit: they are generated more rarely. */
export interface Template {
  readonly name: string;
  readonly slow?: boolean;
  readonly make: (random: SeededRandom) => { readonly text: string; readonly input?: JsonValue };
}
