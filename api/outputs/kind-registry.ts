import { readdirSync } from 'node:fs';
import { z } from 'zod';
import { newOutputFields, type outputKindSchema } from '#schemas/api/outputs.ts';
import { describeFields } from './describe-fields.ts';
import type { OutputKind } from './output-kind.ts';
import type { OutputReach } from './reach.ts';

const FOLDER = new URL('./kinds/', import.meta.url);

/** All kinds of outputs in `kinds/` by type, in display order. A kind is a file; no list names it. */
export const OUTPUT_KINDS: ReadonlyMap<string, OutputKind> = await loadKinds();

/** Schema of a new output. Settings and secrets with only optional fields may be omitted. */
export const newOutputSchema = z.discriminatedUnion('type', optionsOf(OUTPUT_KINDS));
export type NewOutput = z.output<typeof newOutputSchema>;

/** Returns the kind of this type. Throws a `RangeError` for an unknown type. */
export function outputKind(type: string): OutputKind {
  const kind = OUTPUT_KINDS.get(type);
  if (kind === undefined) throw new RangeError(`unknown kind of output ${type}`);
  return kind;
}

/** Returns the kinds for the API. */
export function describeKinds(reach: OutputReach): z.output<typeof outputKindSchema>[] {
  return Array.from(
    OUTPUT_KINDS,
    ([type, { label, description, unavailable, sendsCases = false, settings, secrets }]) => ({
      type,
      label,
      description,
      unavailable: unavailable?.(reach) ?? null,
      sendsCases,
      settings: describeFields(settings),
      secrets: describeFields(secrets),
    }),
  );
}

/**
 * Returns the kind of a file. Throws at start-up for errors that the compiler cannot find, because kinds are loaded by
 * file name, not imported.
 */
export function checkedKind(file: string, kind: OutputKind | undefined): readonly [type: string, kind: OutputKind] {
  const where = `api/outputs/kinds/${file}`;
  if (kind === undefined) throw new Error(`${where} must export \`kind\`, made by defineOutputKind()`);
  if (!/^[a-z][a-z0-9-]*\.ts$/.test(file)) throw new Error(`${where} must be named in lower case`);
  for (const schema of [kind.settings, kind.secrets])
    for (const { name, label } of describeFields(schema))
      if (label === '') throw new Error(`${where}: the field ${name} needs a \`title\``);
  for (const name of kind.receiver)
    if (!(name in kind.settings.shape)) throw new Error(`${where}: \`receiver\` names the unknown setting ${name}`);
  return [file.slice(0, -'.ts'.length), kind];
}

async function loadKinds(): Promise<ReadonlyMap<string, OutputKind>> {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.ts'));
  const kinds = await Promise.all(
    files.map(async (file) => {
      const module = (await import(new URL(file, FOLDER).href)) as { readonly kind?: OutputKind };
      return checkedKind(file, module.kind);
    }),
  );
  const last = kinds.length + 1;
  return new Map(kinds.sort(([a, { order: x = last }], [b, { order: y = last }]) => x - y || (a < b ? -1 : 1)));
}

function optionsOf(kinds: ReadonlyMap<string, OutputKind>) {
  const options = Array.from(kinds, ([type, { settings, secrets }]) =>
    z.strictObject({
      type: z.literal(type),
      ...newOutputFields,
      settings: orEmpty(settings),
      secrets: orEmpty(secrets),
    }),
  );
  return options as [(typeof options)[number]];
}

function orEmpty(schema: z.ZodObject): z.ZodType<Record<string, unknown>> {
  return schema.safeParse({}).success ? schema.prefault({}) : schema;
}
