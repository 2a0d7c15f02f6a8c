import type { JsonValue } from '#api/executions/json-value.ts';
import type { SeededRandom } from '#test/support/seeded-random.ts';

export const KINDS = ['definition', 'schema', 'expression', 'script'] as const;
export type Kind = (typeof KINDS)[number];

/** One input of the fuzzer. The same seed and number give the same case on any machine. */
export interface Case {
  /** Position in the run, from 0. */
  readonly number: number;
  readonly kind: Kind;
  /** Name of the template, such as `script/promise-flood`. `--without` excludes templates by a prefix of this name. */
  readonly template: string;
  /** The YAML, the JSON Schema as JSON, the jq expression or the JavaScript. */
  readonly text: string;
  /** The value that is checked against the schema, or the input of the run. */
  readonly input: JsonValue;
}

/** Generates the text of one case. `slow` templates are expected to reach a time limit and are generated less often. */
export interface Template {
  readonly name: string;
  readonly slow?: boolean;
  readonly make: (random: SeededRandom) => { readonly text: string; readonly input?: JsonValue };
}
