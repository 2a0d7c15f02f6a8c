import { Anchor, Table, Text, Title, type TitleOrder } from '@mantine/core';
import { createContext, type ReactNode, useContext } from 'react';
import { visible } from '../visible.ts';
import { type Block, type Inline, markdownBlocks } from './blocks.ts';

/** True if links are active. Links in user content are shown as their URL instead. */
const LinksActive = createContext(true);

/** The report of a case, for screen and print. */
export function ReportView({ markdown }: { readonly markdown: string }) {
  return (
    <article className="tl-report">
      {markdownBlocks(markdown).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a report do not move
        <BlockView block={block} key={index} />
      ))}
    </article>
  );
}

/** The Markdown of a comment: keeps line breaks, shows headings as bold text, and has no active links. */
export function CommentView({ markdown }: { readonly markdown: string }) {
  return (
    <LinksActive value={false}>
      <div className="tl-comment">
        {markdownBlocks(markdown, { keepLines: true }).map((block, index) => {
          const key = `${index} ${block.kind}`;
          return block.kind === 'heading' ? (
            <Text size="sm" fw={600} my={6} key={key}>
              <Inlines of={block.content} />
            </Text>
          ) : (
            <BlockView block={block} key={key} />
          );
        })}
      </div>
    </LinksActive>
  );
}

function BlockView({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case 'heading':
      // One level lower, because the page already has a heading.
      return (
        <Title order={Math.min(6, block.level + 1) as TitleOrder} size={block.level === 1 ? 'h3' : 'h5'} mt="md" mb={6}>
          <Inlines of={block.content} />
        </Title>
      );
    case 'paragraph':
      return (
        <Text size="sm" my={6}>
          <Inlines of={block.content} />
        </Text>
      );
    case 'code':
      return <pre className="tl-mono tl-comment-code">{visible(block.text)}</pre>;
    case 'quote':
      return <Quote lines={block.lines} />;
    case 'table':
      return <TableView rows={block.rows} />;
    case 'list':
      return (
        <ul>
          {block.items.map(({ content, quote }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the items of a report do not move
            <li key={index}>
              <Text size="sm" component="span">
                <Inlines of={content} />
              </Text>
              {quote.length > 0 && <Quote lines={quote} />}
            </li>
          ))}
        </ul>
      );
  }
}

function TableView({ rows: [head = [], ...rows] }: { readonly rows: readonly (readonly (readonly Inline[])[])[] }) {
  return (
    <Table withTableBorder withColumnBorders my={6} layout="fixed">
      <Table.Thead>
        <Table.Tr>
          {head.map((cell, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a report do not move
            <Table.Th key={index} {...(index === 0 && head.length === 2 ? { w: { base: '7rem', sm: '11rem' } } : {})}>
              <Inlines of={cell} />
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((cells, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a report do not move
          <Table.Tr key={row}>
            {cells.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a report do not move
              <Table.Td key={index}>
                <Inlines of={cell} />
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Quote({ lines }: { readonly lines: readonly (readonly Inline[])[] }) {
  return (
    <blockquote className="tl-report-quote">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a report do not move
        <Text size="sm" key={index} mih="1lh">
          <Inlines of={line} />
        </Text>
      ))}
    </blockquote>
  );
}

function Inlines({ of }: { readonly of: readonly Inline[] }): ReactNode {
  const linksActive = useContext(LinksActive);
  return of.map((part, index) => {
    const text = visible(part.text);
    const key = `${index} ${part.kind}`;
    switch (part.kind) {
      case 'code':
        return (
          <span className="tl-mono" key={key}>
            {text}
          </span>
        );
      case 'strong':
        return <strong key={key}>{text}</strong>;
      case 'link':
        if (!linksActive) return visible(`${part.text} (${part.to})`);
        // Only http and https URLs become links.
        return /^https?:\/\//.test(part.to) ? (
          <Anchor href={part.to} size="sm" underline="always" key={key}>
            {text}
          </Anchor>
        ) : (
          text
        );
      default:
        return text;
    }
  });
}
