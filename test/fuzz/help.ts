import type { CommandHelp } from '../../bin/command-line/command-line.ts';
import { KINDS } from './programs/cases/case.ts';

/** Help of both fuzzers of `npm run fuzz`. */
export const FUZZ: CommandHelp = {
  name: 'fuzz',
  usage: `usage: npm run fuzz [-- [--of api] [--seconds 300] [--seed 1]]
         makes requests from the OpenAPI description of a server that is started for the run
       npm run fuzz -- --of programs [--cases 100000] [--seed 1] [--kinds ${KINDS.join(',')}]
           [--only NAMES] [--without NAMES] [--slow-share 0.005] [--first-unit 0] [--in-flight 8] [--gap-ms 2000]
           [--memory-mib 1024] [--keep-going] [--shrink-seconds 180] [--out fuzz-faults] [--summary FILE]
         runs generated workflows, schemas, expressions and scripts
       npm run fuzz -- --of programs --replay FILE
         runs a reproducer
       npm run fuzz -- --of programs --sum FOLDER
         adds the figures of several runs`,
};
