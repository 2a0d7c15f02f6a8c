import { type Command, Option } from 'commander';
import { counted } from '../../counted.ts';
import type { CommandContext } from '../context.ts';
import { readCorpus } from '../corpus/corpus.ts';
import { corpusTable } from '../corpus/corpus-table.ts';
import { judge, type Verdict } from '../corpus/judge.ts';
import { readCapture } from '../corpus/read-capture.ts';
import { score } from '../corpus/score.ts';
import { watchCapture } from '../corpus/watch-capture.ts';
import { operatorRules } from '../operator-rules.ts';

const OUTPUTS = ['table', 'json'] as const;
type Output = (typeof OUTPUTS)[number];

export function registerCorpus(program: Command, context: CommandContext): void {
  const group = program
    .command('corpus')
    .description('evaluate the rules on labelled captures of attacks and of benign crashes');
  group
    .command('run')
    .description('evaluate the rules on each capture of a corpus; exit code 1 for a missed attack or a false alarm')
    .argument('<folder...>', 'folders with captures and their expect.json')
    .addOption(new Option('--output <format>', 'output format').choices(OUTPUTS).default('table'))
    .action((folders: string[], { output }: { output: Output }) => runCorpora(folders, output, context));
}

async function runCorpora(folders: readonly string[], output: Output, context: CommandContext): Promise<void> {
  const { signalDialect, pipeline } = await context.config();
  const settings = await operatorRules(context);
  const verdicts = new Map<string, Verdict>();
  let refused = 0;
  for (const folder of folders) {
    const { entries, unlabelled } = await readCorpus(folder);
    if (unlabelled.length > 0) context.note(`${folder}: no entry for ${unlabelled.join(', ')}`);
    for (const { name, file, truth } of entries) {
      const watch = watchCapture(truth, settings);
      const reading = { signalDialect, limits: { maxBytes: pipeline.maxRecordBytes }, refused: () => void refused++ };
      for await (const accepted of readCapture(file, reading)) watch.feed(accepted);
      verdicts.set(folders.length > 1 ? `${folder}/${name}` : name, judge(truth, watch.alerts()));
    }
  }
  const total = score([...verdicts.values()]);
  if (output === 'table') await context.write(corpusTable(verdicts, total));
  else await context.write(`${JSON.stringify({ captures: Object.fromEntries(verdicts), score: total }, null, 2)}\n`);
  if (refused > 0) context.note(`${counted(refused, 'line')} without a valid event ignored`);
  if (total.found < total.attacks || total.falselyAlarmed > 0 || refused > 0) context.setExitCode(1);
}
