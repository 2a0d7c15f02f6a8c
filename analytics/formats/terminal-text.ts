/**
 * All characters that a terminal could interpret or hide: control characters (escape sequences begin with one), format
 * characters (bidirectional overrides, zero-width ones), surrogates, private use, unassigned, line and paragraph
 * separators, blank letters.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;
const OTHER_SPACES = /[^\P{Zs} ]/gu;
const WIDE =
  /[\u1100-\u115e\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const NO_WIDTH = /[\p{Mn}\p{Me}]/u;

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}

/**
 * Returns any text in a form that is safe to write to a terminal. Control characters become `\x1b` or `\u{202e}`. The
 * result never contains a line break.
 */
export function terminalText(value: string): string {
  return value.normalize('NFC').replace(UNSAFE, visible).replace(OTHER_SPACES, ' ');
}

function characterWidth(character: string): number {
  if (character < '\x7f') return 1;
  return NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
}

/**
 * Returns the number of terminal columns of safe text. East Asian wide characters take two columns, combining marks
 * none.
 */
export function terminalWidth(safe: string): number {
  let width = 0;
  for (const character of safe) width += characterWidth(character);
  return width;
}

/**
 * Truncates and pads safe text to exactly `width` columns. Truncated text ends in `…`. Keeps at most two combining
 * marks per column.
 */
export function toWidth(safe: string, width: number, align: 'left' | 'right' = 'left'): string {
  const pad = width - terminalWidth(safe);
  if (pad >= 0 && safe.length <= width * 4) return align === 'left' ? safe + ' '.repeat(pad) : ' '.repeat(pad) + safe;
  let cut = '';
  let used = 0;
  for (const character of safe) {
    const next = used + characterWidth(character);
    if (next > width - 1 || cut.length > width * 4) break;
    cut += character;
    used = next;
  }
  return `${cut}…${' '.repeat(Math.max(0, width - used - 1))}`;
}
