/**
 * The unsigned 64-bit fields of a schema, as a tree that a scan of the source text can follow. Derived from `format:
 * uint64` in the schema, so there is no second list to maintain.
 */
export interface ExactFields {
  /** Member name as in the schema; empty for the root and for array elements. */
  readonly name: string;
  /** True if this value itself is an unsigned 64-bit integer. */
  readonly uint64: boolean;
  readonly members: ReadonlyMap<string, ExactFields>;
  /** Schema of the elements, if the value is an array. */
  readonly items: ExactFields | undefined;
  /** Additional members that depend on the string in the member `property`. */
  readonly variants: { readonly property: string; readonly byTag: ReadonlyMap<string, ExactFields> } | undefined;
}

interface Building {
  readonly name: string;
  uint64: boolean;
  members: Map<string, ExactFields>;
  items: ExactFields | undefined;
  variants: ExactFields['variants'];
}

type Schema = {
  readonly $ref?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly discriminator?: { readonly propertyName: string };
  readonly oneOf?: readonly Schema[];
  readonly const?: unknown;
};

/**
 * Derives the tree from a schema. Supports the keywords that event schemas use: `properties`, `items`, `oneOf` with a
 * `discriminator`, and `$ref: '#'`.
 */
export function exactFieldsOf(schema: object): ExactFields {
  const root = empty('');
  fill(root, schema as Schema, root);
  return root;
}

function fill(node: Building, schema: Schema, root: ExactFields): void {
  node.uint64 = schema.format === 'uint64';
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const child = build(inner, root, name);
    if (matters(child, root)) node.members.set(name, child);
  }
  if (schema.items) {
    const child = build(schema.items, root, '');
    if (matters(child, root)) node.items = child;
  }
  if (schema.discriminator && schema.oneOf) {
    const property = schema.discriminator.propertyName;
    const byTag = new Map<string, ExactFields>();
    for (const variant of schema.oneOf) {
      const child = build(variant, root, '');
      if (matters(child, root)) byTag.set(String(variant.properties?.[property]?.const), child);
    }
    node.variants = { property, byTag };
  }
}

function build(schema: Schema, root: ExactFields, name: string): ExactFields {
  if (schema.$ref === '#') return root;
  if (schema.$ref !== undefined) throw new Error(`an event schema refers to itself as '#' only, not ${schema.$ref}`);
  const node = empty(name);
  fill(node, schema, root);
  return node;
}

/** A reference to the root always counts, because the root is incomplete when an inner schema refers to it. */
function matters(node: ExactFields, root: ExactFields): boolean {
  return (
    node === root ||
    node.uint64 ||
    node.members.size > 0 ||
    node.items !== undefined ||
    (node.variants?.byTag.size ?? 0) > 0
  );
}

function empty(name: string): Building {
  return { name, uint64: false, members: new Map(), items: undefined, variants: undefined };
}
