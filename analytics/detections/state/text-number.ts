/** Returns a 32-bit hash of a string, for fingerprints of lines. */
export function textNumber(text: string): number {
  let number = text.length;
  for (let i = 0; i < text.length; i += 1) number = (Math.imul(number, 31) + text.charCodeAt(i)) | 0;
  return number >>> 0;
}
