import { type Command, Option } from 'commander';
import { decodeRecord } from '#ingest/pipeline/decode.ts';
import { createValidateStep, type Validate } from '#ingest/pipeline/validate.ts';
import type { Rejection } from '#schemas/events/accepted.ts';
import { reject } from '#schemas/events/reject.ts';
import { SIGNAL_DIALECTS, type SignalDialect } from '#schemas/events/signal-dialect.ts';
import { counted } from '../../counted.ts';
import type { CommandContext } from '../context.ts';
import { type InputLine, inputLines } from '../input-lines.ts';
import { createProgress } from '../progress.ts';

export function registerValidate(program: Command, context: CommandContext): void {
  program
    .command('validate')
    .description('check each line for a valid event; prints one JSON object per line; exit code 1 if one is invalid')
    .argument('<file...>', 'files with one event per line; - for standard input')
    .addOption(
      new Option(
        '--signal-dialect <dialect>',
        'accepted signal names; short: also Segv (default: TRAPLINE_SIGNAL_DIALECT)',
      ).choices(SIGNAL_DIALECTS),
    )
    .action(async (files: string[], options: { signalDialect?: SignalDialect }) => {
      const { pipeline, signalDialect } = await context.config();
      const validate = createValidateStep({ signalDialect: options.signalDialect ?? signalDialect });
      const invalid = await validateFiles(files, { validate, maxBytes: pipeline.maxRecordBytes }, context);
      if (invalid > 0) context.setExitCode(1);
    });
}

interface Checks {
  readonly validate: Validate;
  readonly maxBytes: number;
}

/**
 * Writes `{line, valid, code, path, message}` for every line, and `file` if there are several. Resolves to the number
 * of invalid lines.
 */
async function validateFiles(files: readonly string[], checks: Checks, context: CommandContext): Promise<number> {
  const progress = createProgress(context, 'lines');
  let lines = 0;
  let invalid = 0;
  for (const file of files) {
    const named = files.length > 1 ? { file } : {};
    for await (const batch of inputLines(file, context.stdin, checks.maxBytes)) {
      let out = '';
      for (const line of batch) {
        const refused = refusalOf(line, checks);
        if (refused) invalid++;
        const { code = null, path = null, message = null } = refused ?? {};
        out += `${JSON.stringify({ ...named, line: line.line, valid: !refused, code, path, message })}\n`;
      }
      await context.write(out);
      lines += batch.length;
      progress.update(lines);
    }
  }
  progress.end();
  context.note(`${counted(lines, 'line')}, ${invalid} invalid`);
  return invalid;
}

/** Returns why the pipeline would reject the line; undefined if it would accept it. Uses the steps of the pipeline. */
function refusalOf({ bytes, length }: InputLine, { validate, maxBytes }: Checks): Rejection | undefined {
  if (bytes === null) return reject('record_too_large', '$', `${length} bytes, at most ${maxBytes}`);
  const decoded = decodeRecord(bytes, { maxBytes });
  const result = decoded.ok ? validate(decoded.payload) : decoded;
  return result.ok ? undefined : result;
}
