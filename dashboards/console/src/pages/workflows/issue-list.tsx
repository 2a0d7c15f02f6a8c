import { Alert, Anchor, Code, List } from '@mantine/core';
import type { Issue } from '../../api/failure.ts';
import { placeOf } from './release.ts';
import { WORKFLOWS_TEXT } from './text.ts';

const TEXT = WORKFLOWS_TEXT.editor;

/** Issues of a definition, each with its position and a link to its line. */
export function IssueList({
  issues,
  onGoTo,
}: {
  readonly issues: readonly Issue[];
  readonly onGoTo: (line: number) => void;
}) {
  if (issues.length === 0) return null;
  const warnings = issues.every(({ severity }) => severity === 'warning');
  return (
    <Alert
      variant="outline"
      color={warnings ? 'yellow.9' : 'red'}
      role="alert"
      title={warnings ? TEXT.withWarnings : TEXT.invalid}
      mb="sm"
    >
      <List size="sm">
        {issues.map((issue) => {
          const { line, message } = issue;
          return (
            <List.Item key={`${issue.field} ${line} ${message}`}>
              {line !== undefined && (
                <>
                  <Anchor component="button" type="button" size="sm" onClick={() => onGoTo(line)}>
                    {TEXT.line(line)}
                  </Anchor>
                  {TEXT.colon}
                </>
              )}
              {placeOf(issue) !== '' && <Code>{placeOf(issue)}</Code>} {message}
            </List.Item>
          );
        })}
      </List>
    </Alert>
  );
}
