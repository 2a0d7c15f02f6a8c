/** A mention that is being typed: the text after `@`, and where it begins and ends. */
export interface OpenMention {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** The mention at the caret; undefined when none is being typed there. */
export function openMention(text: string, caret: number): OpenMention | undefined {
  const found = /(?:^|[^\w@/.:-])@([\w-]{0,32})$/.exec(text.slice(0, caret));
  if (found === null) return undefined;
  const [, typed = ''] = found;
  return { text: typed, from: caret - typed.length, to: caret };
}

/** The text with the mention completed, and the caret behind it. */
export function withMention(
  text: string,
  { from, to }: OpenMention,
  username: string,
): { readonly text: string; readonly caret: number } {
  const rest = text.slice(to);
  const space = /^\s/.test(rest) ? '' : ' ';
  return { text: `${text.slice(0, from)}${username}${space}${rest}`, caret: from + username.length + 1 };
}
