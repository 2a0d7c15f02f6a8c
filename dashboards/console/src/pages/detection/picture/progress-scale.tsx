import { Text } from '@mantine/core';
import type { Progress } from './picture-model.ts';
import './picture.css';

/** Progress of an attack, as a bar with its text. */
export function ProgressScale({ progress: { value, max, text } }: { readonly progress: Progress }) {
  const share = Math.min(value / max, 1);
  return (
    <div className="tl-picture-progress">
      <svg width="100%" height={10} role="img" aria-label={text}>
        <rect className="tl-picture-track" width="100%" height={10} rx={5} />
        <rect className="tl-picture-fill" width={`${share * 100}%`} height={10} rx={5} />
        <line className="tl-picture-half" x1="50%" x2="50%" y1={0} y2={10} />
      </svg>
      <Text size="sm" mt={4} aria-hidden>
        {text}
      </Text>
    </div>
  );
}
