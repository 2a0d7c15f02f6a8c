/**
 * Replaces invisible and direction-changing characters by visible signs, so that nothing is hidden and no name can
 * imitate another. Keeps line breaks and tabs.
 */
export function visible(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Cf}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : `\\u{${code.toString(16)}}`;
  });
}
