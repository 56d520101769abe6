import { useIsScreenReaderEnabled } from 'ink';
import { useState } from 'react';
import { useEnvironment } from '../environment.ts';
import type { Hint } from '../hint.ts';
import { keyLayer, onKeys, useKeys } from '../hooks/use-keys.tsx';
import { useBodySize } from '../hooks/use-size.ts';
import { Line } from './line.tsx';
import { frameLines, ScreenFrame } from './screen-frame.tsx';

interface LinesProps {
  title: string;
  /** Each no wider than the screen; tones may be in them. */
  lines: string[];
  hints?: Hint[];
  aside?: string;
}

/** Text to read, longer than the screen if need be. Esc goes back. */
export function Lines({ title, lines, hints = [], aside = '' }: LinesProps) {
  const { speak, symbols } = useEnvironment();
  const { height } = useBodySize();
  const isRead = useIsScreenReaderEnabled();
  const [first, setFirst] = useState(0);
  const room = isRead ? lines.length : height - frameLines;
  const last = Math.max(0, lines.length - room);
  const move = (step: number) => () => setFirst((line) => Math.min(last, Math.max(0, Math.min(line, last) + step)));
  useKeys(
    onKeys({
      j: move(1),
      down: move(1),
      k: move(-1),
      up: move(-1),
      pagedown: move(room),
      ' ': move(room),
      pageup: move(-room),
      g: move(-lines.length),
      home: move(-lines.length),
      G: move(lines.length),
      end: move(lines.length),
    }),
    { layer: keyLayer.pane },
  );
  const from = Math.min(first, last);
  const isLong = last > 0;
  const place = isLong ? `${from + 1}-${Math.min(from + room, lines.length)}/${lines.length}` : '';
  const moving = isLong ? [{ key: symbols.upDown, label: speak('tui.keyMove') }] : [];
  return (
    <ScreenFrame
      title={title}
      aside={aside || place}
      hints={[...hints, ...moving, { key: 'Esc', label: speak('tui.keyBack') }]}
    >
      {lines.slice(from, from + room).map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place on the screen.
        <Line key={index} text={text} />
      ))}
    </ScreenFrame>
  );
}
