import type { Rival } from './rival.ts';

/** Filler of overflowed buffers: a hundred times the same letter. */
const FILLER = 'A'.repeat(100);
const KEYWORDS = ['attempt to execute code on stack by', '0bin0sh1', FILLER, 'stack smashing detected'];

/**
 * Sigma's rule for buffer overflows in Linux logs. Most of its keywords are messages of programs, which the kernel does
 * not print.
 */
export const sigmaOverflow: Rival = {
  name: 'Sigma: Buffer Overflow Attempts',
  url: 'https://github.com/SigmaHQ/sigma/blob/master/rules/linux/builtin/lnx_buffer_overflows.yml',
  alerts: ({ lines }) =>
    lines.flatMap(({ at, text }) => {
      // Keywords are not case-sensitive.
      const lower = text.toLowerCase();
      return KEYWORDS.some((keyword) => lower.includes(keyword.toLowerCase())) ? [{ at, procname: null }] : [];
    }),
};
