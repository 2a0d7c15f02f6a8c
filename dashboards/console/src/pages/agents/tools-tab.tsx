import { Alert, Button, Checkbox, Group, Loader, Table, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { HeadRow } from '../../parts/list/head-row.tsx';
import { Section } from '../../parts/section.tsx';
import { showDone } from '../../parts/show-failure.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { visible } from '../../parts/visible.ts';
import { type McpTool, mcpToolsQuery } from './experiment-queries.ts';
import { permissionRows } from './permission-rows.ts';
import type { Agent } from './queries.ts';
import { AGENTS_TEXT } from './text.ts';

const TEXT = AGENTS_TEXT.tools;
const TONES = { allow: 'good', ask: 'warning', deny: 'bad' } as const;
const CONSENT_TONES = { given: 'good', changed: 'bad', none: 'neutral' } as const;

/** The permissions of the agent's tools, and consents to tools of MCP servers. */
export function ToolsTab({ agent }: { readonly agent: Agent }) {
  const { mcpServers } = agent.config;
  const { preset, rules } = permissionRows(agent.config);
  return (
    <>
      <Section title={TEXT.permissions}>
        <Text size="sm" c="dimmed" mb="xs">
          {TEXT.permissionsHint}
        </Text>
        <Table aria-label={TEXT.permissions}>
          <HeadRow columns={[TEXT.tool, { label: TEXT.arguments, wideOnly: true }, TEXT.decision]} />
          <Table.Tbody>
            {rules.map(({ tool, given, decision }) => (
              <Table.Tr key={`${tool} ${given} ${decision}`}>
                <Table.Td className="tl-mono">
                  {visible(tool)}
                  {given !== '' && (
                    <Text size="xs" c="dimmed" ff="inherit" hiddenFrom="sm">
                      {visible(given)}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td className="tl-mono" visibleFrom="sm">
                  {visible(given)}
                </Table.Td>
                <Table.Td>
                  <StatusBadge text={TEXT.decisions[decision]} tone={TONES[decision]} />
                </Table.Td>
              </Table.Tr>
            ))}
            <Table.Tr>
              <Table.Td>{TEXT.others}</Table.Td>
              <Table.Td visibleFrom="sm" />
              <Table.Td>
                <StatusBadge text={TEXT.decisions[preset]} tone={TONES[preset]} />
              </Table.Td>
            </Table.Tr>
          </Table.Tbody>
        </Table>
      </Section>
      {typeof mcpServers === 'object' && mcpServers !== null && Object.keys(mcpServers).length > 0 && (
        <McpSection agentId={agent.slug} />
      )}
    </>
  );
}

function McpSection({ agentId }: { readonly agentId: string }) {
  const { data, error, refetch } = useQuery(mcpToolsQuery(agentId));
  return (
    <Section title={TEXT.mcp}>
      {data === undefined ? (
        error ? (
          <FailureNotice error={error} onRetry={() => void refetch()} />
        ) : (
          <Loader aria-label={TEXT.loading} />
        )
      ) : (
        <>
          {data.failures.map(({ server, message }) => (
            <Alert key={server} variant="outline" color="red" mb="sm" title={visible(server)}>
              {visible(message)}
            </Alert>
          ))}
          <Consents key={data.data.map(keyOf).join(' ')} agentId={agentId} tools={data.data} />
        </>
      )}
    </Section>
  );
}

function Consents({ agentId, tools }: { readonly agentId: string; readonly tools: readonly McpTool[] }) {
  const queries = useQueryClient();
  const [chosen, setChosen] = useState(() => new Set(tools.filter(({ consent }) => consent === 'given').map(keyOf)));
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();

  async function save() {
    setBusy(true);
    setFailure(undefined);
    try {
      const consents = tools
        .filter((tool) => chosen.has(keyOf(tool)))
        .map(({ server, name, hash }) => ({ server, tool: name, hash }));
      await call('put', '/api/v1/agents/{agentId}/mcp-tools', { path: { agentId }, body: { tools: consents } });
      await queries.invalidateQueries({ queryKey: mcpToolsQuery(agentId).queryKey });
      showDone(TEXT.saved);
    } catch (wrong) {
      setFailure(wrong);
    } finally {
      setBusy(false);
    }
  }

  const toggle = (key: string) => {
    const next = new Set(chosen);
    if (!next.delete(key)) next.add(key);
    setChosen(next);
  };

  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {TEXT.mcpHint}
      </Text>
      <Table aria-label={TEXT.mcp}>
        <HeadRow columns={[TEXT.tool, TEXT.description, TEXT.consent]} />
        <Table.Tbody>
          {tools.map((tool) => (
            <Table.Tr key={keyOf(tool)}>
              <Table.Td>
                <Checkbox
                  label={<span className="tl-mono">{TEXT.mcpName(tool.server, tool.name)}</span>}
                  checked={chosen.has(keyOf(tool))}
                  onChange={() => toggle(keyOf(tool))}
                />
              </Table.Td>
              <Table.Td>
                <Text size="sm" lineClamp={3}>
                  {visible(tool.description)}
                </Text>
              </Table.Td>
              <Table.Td>
                <StatusBadge text={TEXT.consents[tool.consent]} tone={CONSENT_TONES[tool.consent]} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {failure !== undefined && <FailureNotice error={failure} />}
      <Group mt="sm">
        <Button onClick={() => void save()} loading={busy}>
          {TEXT.save}
        </Button>
      </Group>
    </>
  );
}

function keyOf({ server, name, hash }: McpTool): string {
  return `${server}.${name}.${hash}`;
}
