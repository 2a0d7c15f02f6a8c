import type { ExtensionsFrame } from './frames.ts';
import { segment } from './json.ts';

/** Returns the path of the task list of the extension that currently runs around a task. */
export const extensionPath = (path: string, { names, index, phase }: ExtensionsFrame): string =>
  `${path}/extensions/${segment(names[index] ?? '')}/${phase}`;
