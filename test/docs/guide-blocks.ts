/** One fenced block of a guide that is run, with the text that its output must contain. */
export interface GuideBlock {
  readonly line: number;
  readonly code: string;
  /** Lines of the `text` block that follows; `…` stands for any text. */
  readonly expected: readonly string[];
}

/** The blocks of a page, and those that say `{not-run: reason}`. */
export function guideBlocks(markdown: string): { readonly run: GuideBlock[]; readonly notRun: string[] } {
  const run: GuideBlock[] = [];
  const notRun: string[] = [];
  for (const match of markdown.matchAll(
    /^```sh(?: \{not-run: (.*)\})?\n([\s\S]*?)^```\n(?:\n(?:[^\n`]*\n)*?\n?```text\n([\s\S]*?)^```)?/gm,
  )) {
    const [, reason, code = '', text = ''] = match;
    if (reason !== undefined) {
      notRun.push(`${code.split('\n')[0]}: ${reason}`);
      continue;
    }
    const line = markdown.slice(0, match.index).split('\n').length;
    run.push({ line, code, expected: text.split('\n').filter((one) => one.trim() !== '') });
  }
  return { run, notRun };
}

/** Whether a line of the output contains an expected one. */
export function isShown(output: string, expected: string): boolean {
  const parts = expected.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(parts.join('.*'), 's').test(output);
}
