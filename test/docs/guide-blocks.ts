/** A block of a guide that is executed, or written to a file that later blocks use. */
export interface GuideBlock {
  readonly line: number;
  readonly code: string;
  /** The path in `{file: …}`; undefined for a block that is executed. */
  readonly file: string | undefined;
  /** Lines of the `text` block that follows; `…` matches any text. */
  readonly expected: readonly string[];
}

export interface GuideBlocks {
  readonly steps: readonly GuideBlock[];
  /** Blocks marked `{not-run: reason}`. */
  readonly notRun: readonly string[];
  /** All other blocks: no test checks them. */
  readonly unchecked: readonly string[];
}

/** Returns the fenced blocks of a page in order. A block without a language is an illustration. */
export function guideBlocks(markdown: string): GuideBlocks {
  const steps: GuideBlock[] = [];
  const notRun: string[] = [];
  const unchecked: string[] = [];
  for (const { index, 1: language = '', 2: note = '', 3: code = '' } of markdown.matchAll(
    /^ *```(\w*)(?: \{(.*)\})?\n([\s\S]*?)^ *```$/gm,
  )) {
    const line = markdown.slice(0, index).split('\n').length;
    const [, key, value] = /^([a-z-]+): (.*)$/.exec(note) ?? [];
    const last = steps.at(-1);
    if (key === 'not-run') notRun.push(`${code.split('\n')[0]}: ${value}`);
    else if (key === 'file') steps.push({ line, code, file: value, expected: [] });
    else if (language === 'sh') steps.push({ line, code, file: undefined, expected: [] });
    else if (language === 'text' && last !== undefined && last.file === undefined)
      steps.splice(-1, 1, { ...last, expected: code.split('\n').filter((one) => one.trim() !== '') });
    else if (language !== '') unchecked.push(`line ${line}: ${language}`);
  }
  return { steps, notRun, unchecked };
}

/** Returns true if the output contains the expected line, in which `…` matches any text. */
export function isShown(output: string, expected: string): boolean {
  const parts = expected.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(parts.join('.*'), 's').test(output);
}
