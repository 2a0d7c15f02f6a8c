/** One block of a guide that is run, or written to a file that later blocks use. */
export interface GuideBlock {
  readonly line: number;
  readonly code: string;
  /** The path that `{file: …}` gives; undefined for a block that is run. */
  readonly file: string | undefined;
  /** Lines of the `text` block that follows; `…` stands for any text. */
  readonly expected: readonly string[];
}

export interface GuideBlocks {
  readonly steps: readonly GuideBlock[];
  /** Blocks that say `{not-run: reason}`. */
  readonly notRun: readonly string[];
  /** All other blocks: nothing checks that they are true. */
  readonly unchecked: readonly string[];
}

/** The fenced blocks of a page in their order. A block without a language is an illustration. */
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

/** Whether a line of the output contains an expected one. */
export function isShown(output: string, expected: string): boolean {
  const parts = expected.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(parts.join('.*'), 's').test(output);
}
