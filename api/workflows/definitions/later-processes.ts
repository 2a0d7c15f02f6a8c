import { PULL_POLICIES } from '#api/executions/engine/contract/process-task.ts';

/**
 * Schema of the arguments of a script or command: a list as in later versions of the language, or an object as in
 * 1.0.0.
 */
const ARGUMENTS = {
  type: ['array', 'object'],
  description: 'Arguments, if any: a list of texts, or names with values.',
  items: { type: 'string' },
};

const stdinOf = (what: string) => ({
  type: 'string',
  title: `${what}Stdin`,
  description: 'A text or runtime expression, if any, that the process reads from its standard input.',
});

/** Members of processes in later versions of the language, by the title of the process in the published schema. */
const LATER_PARTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Container: {
    stdin: stdinOf('Container'),
    arguments: {
      type: 'array',
      title: 'ContainerArguments',
      description: 'Arguments, if any, that follow the command.',
      items: { type: 'string' },
    },
    pullPolicy: {
      type: 'string',
      title: 'ContainerPullPolicy',
      description: 'When the image is pulled.',
      enum: [...PULL_POLICIES],
      default: 'ifNotPresent',
    },
  },
  Script: { stdin: stdinOf('Script'), arguments: { ...ARGUMENTS, title: 'ScriptArguments' } },
  Shell: { stdin: stdinOf('Shell'), arguments: { ...ARGUMENTS, title: 'ShellArguments' } },
};

/** Returns the schema with the members that later versions of the language add to containers, scripts and commands. */
export function withLaterProcesses<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema), (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('title' in value) || !('properties' in value)) return value;
    const { title } = value;
    if (typeof title !== 'string' || !Object.hasOwn(LATER_PARTS, title)) return value;
    return { ...value, properties: { ...(value.properties as object), ...LATER_PARTS[title] } };
  }) as T;
}
