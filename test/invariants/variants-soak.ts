import { judgeKind, KINDS } from '#test/analytics/detections/variants/judge-variants.ts';
import { oneOf, readSoakOptions, soakOptions } from './soak-options.ts';

/**
 * `npm run soak -- --of variants [--runs 2000] [--seed 1] [--kind NAME]`: judges this number of variants of each kind
 * of attack and of each kind of harmless crashes. Prints recall, false alarms, alerts per attack, and the seeds of
 * wrong results; `--kind NAME --seed N --runs 1` repeats one. Exit code 1 if more than one in 20 variants of an attack
 * is missed, or more than one in 200 harmless variants raises a false alarm.
 */

const { runs, seed, kinds } = soakOptions((args) => {
  const { kind, ...values } = readSoakOptions(args, { runs: 2000, seed: 1, kind: undefined });
  return { ...values, kinds: kind === undefined ? KINDS : [oneOf('kind', kind, KINDS)] };
});
const MAX_MISSED = 0.05;
const MAX_FALSE_ALARMS = 0.005;
const MAX_LISTED = 10;

const percent = (share: number): string => `${(100 * share).toFixed(2)} %`;

for (const kind of kinds) {
  const { isAttack, variants, alerted, alerts, wrong } = judgeKind(kind, seed, runs);
  const share = alerted / variants;
  if (wrong.length / variants > (isAttack ? MAX_MISSED : MAX_FALSE_ALARMS)) process.exitCode = 1;
  const figure = isAttack ? `recall ${percent(share)}` : `false alarms ${percent(share)}`;
  const seeds = wrong.length === 0 ? '' : `  wrong: ${wrong.slice(0, MAX_LISTED).join(' ')}`;
  process.stdout.write(
    `${kind}  ${variants} variants  ${figure}  ${(alerts / variants).toFixed(2)} alerts each${seeds}\n`,
  );
}
