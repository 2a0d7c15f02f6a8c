/** Changes of the schema of gRPC calls, by the title of the property in the published schema. */
const LATER: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  // The published pattern forbids dots, addresses and expressions; later versions allow them.
  WithGRPCServiceHost: { pattern: '^(?:[A-Za-z0-9.-]{1,253}|\\[?[0-9A-Fa-f:.]+\\]?|\\s*\\$\\{.*)$' },
  // The published schema has no arguments for a method that takes a stream.
  WithGRPCArguments: {
    type: ['object', 'array', 'string'],
    description: 'The arguments, if any: a message; a list of messages for a method that takes a stream.',
    items: { type: ['object', 'string'] },
    pattern: '^\\s*\\$\\{',
  },
};

/** Returns the schema with hosts that have dots, and with lists as arguments. */
export function withLaterGrpc<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema), (_key, value: unknown) => {
    const title = typeof value === 'object' && value !== null && 'title' in value ? value.title : undefined;
    if (typeof title !== 'string' || !Object.hasOwn(LATER, title)) return value;
    return { ...(value as object), ...LATER[title] };
  }) as T;
}
