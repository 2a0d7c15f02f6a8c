import openapiTypescript, { type OpenAPI3 } from 'openapi-typescript';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const HEADER = '// Generated from the OpenAPI description of the API; see ../../README.md. Not to be edited.\n';

interface Schema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Operation {
  readonly parameters?: unknown;
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

interface Description {
  readonly openapi: string;
  readonly info: unknown;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

export interface TypesOptions {
  /** First line of the file. */
  readonly header?: string;
  /** True to keep descriptions as comments. */
  readonly described?: boolean;
}

/**
 * Returns the types of requests and responses of the console, as the text of a TypeScript file. Omits errors, which all
 * have one shape (`Failure`), and text for people, except descriptions if they are kept.
 */
export async function generateTypes(
  description: Description,
  { header = HEADER, described = false }: TypesOptions = {},
): Promise<string> {
  const paths = Object.fromEntries(
    Object.entries(description.paths)
      .filter(([path]) => path.startsWith('/api/'))
      .map(([path, operations]) => [
        path,
        Object.fromEntries(
          METHODS.flatMap((method) => (operations[method] ? [[method, reduced(operations[method])]] : [])),
        ),
      ]),
  );
  const text = await openapiTypescript(
    withoutWords(
      {
        openapi: description.openapi,
        info: description.info,
        paths,
        components: { schemas: description.components.schemas },
      },
      described ? WORDS_BUT_DESCRIPTIONS : WORDS,
    ) as OpenAPI3,
    { alphabetize: true, exportType: true },
  );
  return (
    header +
    text.slice(text.indexOf('export type paths')).replaceAll(/^ +/gm, (indent) => ' '.repeat(indent.length / 2))
  );
}

function reduced({ parameters, requestBody, responses }: Operation) {
  const answered = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, { content }]) => {
      const json = content?.['application/json'];
      return [status, { description: '', ...(json ? { content: { 'application/json': json } } : {}) }];
    });
  return {
    ...(parameters ? { parameters } : {}),
    ...(requestBody ? { requestBody: withoutKinds(requestBody) } : {}),
    responses: Object.fromEntries(answered),
  };
}

/**
 * Returns a body with the members of all kinds, if its `type` names a kind of a registry. The console builds such a
 * body from the API's description of a kind, so a new kind does not change the types.
 */
function withoutKinds(body: NonNullable<Operation['requestBody']>): unknown {
  const content = Object.entries(body.content ?? {}).map(([type, media]) => {
    const options = (media.schema?.oneOf ?? media.schema?.anyOf) as readonly Schema[] | undefined;
    const open = options?.every(({ properties }) => (properties?.type?.enum as unknown[] | undefined)?.length === 1);
    return [type, options !== undefined && open === true ? { ...media, schema: commonOf(options) } : media];
  });
  return { ...body, content: Object.fromEntries(content) };
}

/** Returns a schema that every option satisfies. Members that differ keep only their JSON type. */
function commonOf(options: readonly Schema[]): Schema {
  const [first, ...others] = options;
  const properties = Object.entries(first?.properties ?? {}).map(([name, schema]) => {
    const same = others.every(({ properties: own }) => JSON.stringify(own?.[name]) === JSON.stringify(schema));
    const type = schema.type === 'object' ? { type: 'object', additionalProperties: true } : { type: schema.type };
    return [name, same ? schema : type];
  });
  const required = (first?.required ?? []).filter((name) => options.every((one) => one.required?.includes(name)));
  return { type: 'object', properties: Object.fromEntries(properties), required, additionalProperties: false };
}

const WORDS = new Set(['description', 'example', 'pattern', 'format', 'minimum', 'maximum', 'default', 'title']);

const WORDS_BUT_DESCRIPTIONS = new Set([...WORDS].filter((word) => word !== 'description'));

/** Removes keywords that types cannot express. Keys of `properties` are field names and are always kept. */
function withoutWords(value: unknown, words: ReadonlySet<string>, named = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutWords(item, words));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => named || !words.has(key))
      .map(([key, item]) => [key, withoutWords(item, words, key === 'properties')]),
  );
}
