import { type Episode, valuesTotal } from './episode.ts';

/** What an episode means, in plain words and with its figures. Names are shortened by the store, never interpreted. */
export function describeEpisode(episode: Episode): string {
  const program = episode.procname === null || episode.procname === '' ? 'a program' : episode.procname;
  const where = episode.hostname === null ? '' : ` on ${episode.hostname}`;
  const unseen = episode.suppressed > 0 ? `, and at least ${episode.suppressed} more that the kernel did not log` : '';
  const crashes = `${episode.crashes} crashes${unseen}`;
  const distinct = valuesTotal(episode);
  switch (episode.rule) {
    case 'instruction-pointer-probe':
      return `The instruction pointer of ${program}${where} moves systematically by a few bytes from crash to crash (${distinct} distinct addresses in ${crashes}): an attempt to find places to jump to, as blind return-oriented programming does.`;
    case 'register-value-probe':
      return `${episode.register} of ${program}${where} moves in steps of 1 from crash to crash (${distinct} distinct values in ${crashes}): an attempt to guess bytes on the stack, such as its canary or a return address.`;
    case 'stack-canary-probe':
      return `${program}${where} was forked and aborted again and again in quick succession (${crashes}): an attempt to guess the canary that protects its stack, byte by byte.`;
    case 'suppressed-crash-burst':
      return `The kernel${where} suppressed at least ${episode.suppressed} crash messages while it logged ${episode.crashes} crashes: programs die far more often than the log shows.`;
    case 'detector-tampering':
      return `The setting ${episode.detail[0] ?? ''}${where}, which the detector had set to "${episode.detail[1] ?? ''}", is now "${episode.detail[2] ?? ''}": crashes may leave no evidence from then on.`;
  }
}
