import type { Rival } from './rival.ts';

/** A hundred times the letter that fills buffers. */
const FILLER = 'A'.repeat(100);
const KEYWORDS = ['attempt to execute code on stack by', '0bin0sh1', FILLER, 'stack smashing detected'];

/** Sigma's rule for buffer overflows in logs of Linux. Its keywords are mostly those of programs: the kernel does not print them. */
export const sigmaOverflow: Rival = {
  name: 'Sigma: Buffer Overflow Attempts',
  url: 'https://github.com/SigmaHQ/sigma/blob/master/rules/linux/builtin/lnx_buffer_overflows.yml',
  alerts: ({ lines }) =>
    lines.flatMap(({ at, text }) => {
      // Keywords match whatever their case.
      const lower = text.toLowerCase();
      return KEYWORDS.some((keyword) => lower.includes(keyword.toLowerCase())) ? [{ at, procname: null }] : [];
    }),
};
