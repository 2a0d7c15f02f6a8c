/**
 * Where the unsigned 64-bit fields of a schema lie, as a tree that a scan of the source text can follow. Derived from the
 * schema itself (`format: uint64`), so that a new field or a new version needs no second list.
 */
export interface ExactFields {
  /** The name of the member this is, as the schema writes it; empty for the root and for elements. */
  readonly name: string;
  /** This value itself is an unsigned 64-bit integer. */
  readonly uint64: boolean;
  readonly members: ReadonlyMap<string, ExactFields>;
  /** Elements, when the value is an array. */
  readonly items: ExactFields | undefined;
  /** Further members that depend on the string in the member `property`. */
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

/** Reads `properties`, `items`, `oneOf` under a `discriminator`, and `$ref: '#'`: the vocabulary our event schemas keep to. */
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

/** The root counts unseen: it is still being filled when an inner schema refers back to it. */
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
