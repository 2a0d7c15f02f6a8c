import type { ExtensionsFrame } from './frames.ts';
import { segment } from './json.ts';

/** Path of the tasks of the extension that is at work around a task. */
export const extensionPath = (path: string, { names, index, phase }: ExtensionsFrame): string =>
  `${path}/extensions/${segment(names[index] ?? '')}/${phase}`;
