/** A mention that the user is typing: the text after `@`, with its start and end. */
export interface OpenMention {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Returns the mention at the caret. Undefined if none exists. */
export function openMention(text: string, caret: number): OpenMention | undefined {
  const found = /(?:^|[^\w@/.:-])@([\w-]{0,32})$/.exec(text.slice(0, caret));
  if (found === null) return undefined;
  const [, typed = ''] = found;
  return { text: typed, from: caret - typed.length, to: caret };
}

/** Returns the text with the completed mention, and the caret position after it. */
export function withMention(
  text: string,
  { from, to }: OpenMention,
  username: string,
): { readonly text: string; readonly caret: number } {
  const rest = text.slice(to);
  const space = /^\s/.test(rest) ? '' : ' ';
  return { text: `${text.slice(0, from)}${username}${space}${rest}`, caret: from + username.length + 1 };
}
