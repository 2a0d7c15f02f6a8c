import { Loader, SimpleGrid, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { PARTS_TEXT } from '../../parts/text.ts';
import { WORKFLOWS_TEXT } from './text.ts';

const TEXT = WORKFLOWS_TEXT.templates;

/**
 * The product's examples. Each is loaded as a separate file. None of them acknowledges or closes a detection
 * automatically.
 */
const FILES = import.meta.glob<string>('../../../../../examples/workflows/*.yaml', {
  query: '?raw',
  import: 'default',
});

export interface Template {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly text: string;
}

async function readTemplates(): Promise<readonly Template[]> {
  const { describe } = await import('./editor/edit-yaml.ts');
  return Promise.all(
    Object.entries(FILES).map(async ([file, load]) => {
      const text = await load();
      const name = file.split('/').at(-1)?.replace('.yaml', '') ?? file;
      const { title = name, summary = '' } = describe(text);
      return { name, title, summary, text };
    }),
  );
}

/** Templates of definitions. */
export function TemplateGallery({
  blank,
  chosen,
  onChoose,
}: {
  readonly blank: string;
  /** Name of the selected template. Empty: the blank one. */
  readonly chosen: string;
  readonly onChoose: (template: Template) => void;
}) {
  const { data, isPending } = useQuery({
    queryKey: ['workflows', 'templates'],
    queryFn: readTemplates,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const all = [{ name: '', title: TEXT.blank, summary: TEXT.blankSummary, text: blank }, ...(data ?? [])];
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" mb="sm" role="group" aria-label={TEXT.title}>
      {all.map((template) => (
        <UnstyledButton
          key={template.name}
          className="tl-template"
          aria-pressed={template.name === chosen}
          onClick={() => onChoose(template)}
        >
          <Text size="sm" fw={600}>
            {template.title}
          </Text>
          <Text size="xs" c="dimmed" lineClamp={3}>
            {template.summary}
          </Text>
        </UnstyledButton>
      ))}
      {isPending && <Loader size="sm" aria-label={PARTS_TEXT.loading} />}
    </SimpleGrid>
  );
}
