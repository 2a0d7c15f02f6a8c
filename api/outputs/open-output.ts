import { OUTPUT_SHAPES, type OutputType } from '#schemas/api/outputs.ts';
import type { Seal } from '../executions/secrets/seal.ts';
import type { OutboundFetch } from '../outbound/port.ts';
import { openChat } from './kinds/chat.ts';
import { type FileAccess, openFile } from './kinds/file.ts';
import { type KafkaAccess, openKafka } from './kinds/kafka.ts';
import { openSyslog } from './kinds/syslog.ts';
import { openWebhook } from './kinds/webhook.ts';
import { openWorkflows, type PublishEvents } from './kinds/workflows.ts';
import { type Output, OutputFailure } from './port.ts';
import type { OutputRow } from './tables/outputs.ts';

/** What receivers are reached by. One that is not there is a type of output this installation does not have. */
export interface OutputReach {
  /** Under the guard. */
  readonly fetch: OutboundFetch;
  readonly kafka?: KafkaAccess | undefined;
  readonly files?: FileAccess | undefined;
  readonly publish?: PublishEvents | undefined;
}

/** The types of outputs that can be reached. */
export function outputTypes({ kafka, files, publish }: OutputReach): ReadonlySet<OutputType> {
  return new Set<OutputType>([
    'syslog',
    'webhook',
    'chat',
    ...(kafka === undefined ? [] : (['kafka'] as const)),
    ...(files === undefined ? [] : (['file'] as const)),
    ...(publish === undefined ? [] : (['workflows'] as const)),
  ]);
}

/** The secrets of an output lie in its row, sealed for it. */
export function secretsContext(outputId: string): string {
  return `output/${outputId}`;
}

/** The secrets of an output, by their names. Throws `OutputFailure` when no secret of the installation opens them. */
export function openSecrets(seal: Seal, { id, secrets }: Pick<OutputRow, 'id' | 'secrets'>): Record<string, string> {
  if (secrets === null) return {};
  const text = seal.open(secrets, secretsContext(id));
  if (text === undefined)
    throw new OutputFailure('temporary', 'its secrets were sealed under another AUTH_SECRET: set them again');
  return JSON.parse(text) as Record<string, string>;
}

/** The receiver a definition describes. Throws `OutputFailure` when it can not be used as it is stored. */
export function openOutput(
  { reach, seal }: { readonly reach: OutputReach; readonly seal: Seal },
  row: Pick<OutputRow, 'id' | 'type' | 'settings' | 'secrets'>,
): Output {
  const secrets = openSecrets(seal, row);
  switch (row.type) {
    case 'syslog':
      return openSyslog(OUTPUT_SHAPES.syslog.settings.parse(row.settings), OUTPUT_SHAPES.syslog.secrets.parse(secrets));
    case 'webhook':
      return openWebhook(
        reach,
        OUTPUT_SHAPES.webhook.settings.parse(row.settings),
        OUTPUT_SHAPES.webhook.secrets.parse(secrets),
      );
    case 'chat':
      return openChat(
        reach,
        OUTPUT_SHAPES.chat.settings.parse(row.settings),
        OUTPUT_SHAPES.chat.secrets.parse(secrets),
      );
    case 'kafka':
      if (reach.kafka === undefined)
        throw new OutputFailure('temporary', 'this installation has no Kafka: set KAFKA_BROKERS');
      return openKafka(reach.kafka, OUTPUT_SHAPES.kafka.settings.parse(row.settings));
    case 'file':
      if (reach.files === undefined)
        throw new OutputFailure('temporary', 'this installation has no folder for files: set TRAPLINE_OUTPUT_DIR');
      return openFile(reach.files, OUTPUT_SHAPES.file.settings.parse(row.settings));
    case 'workflows':
      if (reach.publish === undefined) throw new OutputFailure('temporary', 'this process runs no workflows');
      return openWorkflows({ publish: reach.publish }, row.id);
  }
}
