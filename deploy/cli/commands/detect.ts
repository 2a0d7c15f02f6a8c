import type { Command } from 'commander';
import { PRODUCT_VERSION } from '#schemas/product-version.ts';
import { detect } from '../../detector/detect.ts';
import { addDetectOptions, type DetectOptions } from '../../detector/detect-options.ts';
import { reportsTo } from '../../detector/reports.ts';
import { sinkTarget } from '../../detector/sink-target.ts';
import type { CommandContext } from '../context.ts';
import { createDetectorSink } from '../detector-sink.ts';

const TARGETS =
  'stdout, http(s)://… (a server, with TRAPLINE_API_KEY) or kafka://TOPIC (prefixed with TRAPLINE_TOPIC_PREFIX)';

export function registerDetect(program: Command, context: CommandContext): void {
  addDetectOptions(program.command('detect'), TARGETS, 'stdout').action(async (options: DetectOptions) => {
    const { dataDir, signalDialect, server, tracing } = await context.config();
    const target = sinkTarget(options.to);
    const { apiKey } = server;
    await detect(options, {
      stdin: context.stdin,
      stderr: context.stderr,
      dataDir,
      signalDialect,
      note: (text) => context.note(text),
      async openSink(_to, log, sinkOptions) {
        const sink = await createDetectorSink(target, context, log, sinkOptions);
        if (tracing === undefined || target.kind === 'stdout') return sink;
        const { createTracedDetectorSink } = await import('../../detector/traced-detector-sink.ts');
        return createTracedDetectorSink(sink, tracing, { target, log });
      },
      ...(target.kind === 'http' && apiKey !== undefined
        ? { startReports: reportsTo(target.url, apiKey, PRODUCT_VERSION) }
        : {}),
    });
  });
}
