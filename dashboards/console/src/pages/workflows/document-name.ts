/** Matches `document:` and its indented lines up to the name. */
const NAME = /^(document:[ \t]*\n(?:[ \t]+[^\n]*\n)*?[ \t]+name:[ \t]*)[\w-]+[ \t]*$/m;

/**
 * Returns the definition with this name in `document.name`. Returns it unchanged if it has no such line (for example in
 * flow style), or if the name is empty.
 */
export function withDocumentName(text: string, name: string): string {
  return name === '' ? text : text.replace(NAME, (_, before: string) => `${before}${name}`);
}
