/** What can't be seen, or turns the direction of what follows, as a sign for it, so that nothing is hidden and no name poses as another. Lines and tabs stay. */
export function visible(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Cf}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : `\\u{${code.toString(16)}}`;
  });
}
