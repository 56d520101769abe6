import { Box } from 'ink';
import type { ReactNode } from 'react';
import { useEnvironment, useTone } from '../environment.ts';
import { BodySizeProvider, useBodySize } from '../hooks/use-size.ts';
import { type Detail, useDetailLines } from './details.tsx';
import { Line } from './line.tsx';
import { frameLines } from './screen-frame.tsx';

const minWidth = 120;
const widestPane = 60;

/** Cells for what stands beside a list; 0 where there is no room for both. */
export function paneWidth(width: number): number {
  return width < minWidth ? 0 : Math.min(widestPane, Math.floor(width * 0.36));
}

/** A list, and to the right of it all there is to know of the row under the cursor. */
export function Beside({ details, children }: { details: Detail[]; children: ReactNode }) {
  const { symbols } = useEnvironment();
  const tone = useTone();
  const { width, height } = useBodySize();
  const pane = paneWidth(width);
  const lines = useDetailLines(details, pane - 2);
  const rows = Array.from({ length: height - frameLines }, (_, index) => lines[index] ?? '');
  return (
    <Box flexDirection="row">
      <Box flexDirection="column" width={width - pane} flexShrink={0}>
        <BodySizeProvider value={{ width: width - pane, height }}>{children}</BodySizeProvider>
      </Box>
      <Box flexDirection="column" width={pane} flexShrink={0}>
        {rows.map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place on the screen.
          <Line key={index} text={`${tone(symbols.bar, 'dim')}${text}`} />
        ))}
      </Box>
    </Box>
  );
}
