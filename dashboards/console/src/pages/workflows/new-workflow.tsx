import { Modal, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { showDone } from '../../parts/show-failure.tsx';
import { DefinitionEditor } from './definition-editor.tsx';
import { TemplateGallery } from './template-gallery.tsx';
import { WORKFLOWS_TEXT } from './text.ts';

const TEXT = WORKFLOWS_TEXT.newWorkflow;

const STARTER = `document:
  dsl: "1.0.0"
  namespace: default
  name: my-workflow
  version: 1.0.0
  title: Short description
input:
  schema:
    format: json
    document:
      type: object
      required: [name]
      properties:
        name: { type: string, minLength: 1 }
do:
  - greet:
      set:
        greeting: \${ "Hello " + .name }
`;

/** Releases the first version of a workflow. */
export function NewWorkflow({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const [slug, setSlug] = useState('');
  const [template, setTemplate] = useState({ name: '', text: STARTER });
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="xl"
      title={TEXT.title}
      closeButtonProps={{ 'aria-label': TEXT.close }}
    >
      {opened && (
        <TemplateGallery
          blank={STARTER}
          chosen={template.name}
          onChoose={(chosen) => {
            setTemplate(chosen);
            if (slug === '' || slug === template.name) setSlug(chosen.name);
          }}
        />
      )}
      <TextInput
        label={TEXT.name}
        description={TEXT.nameHint}
        value={slug}
        maxLength={63}
        mb="sm"
        data-autofocus
        onChange={(event) => setSlug(event.currentTarget.value)}
      />
      <DefinitionEditor
        key={template.name}
        slug={slug}
        initial={template.text}
        onReleased={() => {
          showDone(TEXT.released(slug));
          void queries.invalidateQueries({ queryKey: ['workflows'] });
          void navigate({ to: '/workflows/$id', params: { id: slug }, search: {} });
        }}
      />
    </Modal>
  );
}
