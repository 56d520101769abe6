import { Box, useIsScreenReaderEnabled } from 'ink';
import type { ReactNode } from 'react';
import { useEnvironment, useTone } from '../environment.ts';
import { cut, spread, widthOf } from '../fit.ts';
import type { Hint } from '../hint.ts';
import { keyLayer, onKeys, useKeys } from '../hooks/use-keys.tsx';
import { useNavigation } from '../hooks/use-navigation.tsx';
import { useBodySize } from '../hooks/use-size.ts';
import { Line, Rule } from './line.tsx';
import { StatusLine } from './status-line.tsx';

interface ScreenFrameProps {
  title: string;
  /** At the right end of the title's line. */
  aside?: string;
  /** What the status line says of the chosen row when there is nothing more urgent. */
  detail?: string;
  hints: Hint[];
  /** In place of the title, while something is written there. */
  input?: ReactNode;
  /** Keys write here, so that `?` is not a key of its own. */
  isTyped?: boolean;
  children: ReactNode;
}

/** Lines of a screen that are not its content: title, rule, status and keys. */
export const frameLines = 4;

export function ScreenFrame({
  title,
  aside = '',
  detail = '',
  hints,
  input,
  isTyped = false,
  children,
}: ScreenFrameProps) {
  const { width, height } = useBodySize();
  const { symbols, speak } = useEnvironment();
  const tone = useTone();
  const isRead = useIsScreenReaderEnabled();
  const { showKeys } = useNavigation();
  useKeys(onKeys({ '?': () => showKeys(hints) }), { layer: keyLayer.screen, isActive: !isTyped });
  const shown = isTyped ? hints : [...hints, { key: '?', label: speak('tui.keys') }];
  return (
    <Box flexDirection="column" {...(isRead ? {} : { height })}>
      {input || <Line text={tone(spread(title, aside, width, symbols.ellipsis), 'bold')} />}
      <Box flexDirection="column" overflow="hidden" {...(isRead ? {} : { height: height - frameLines })}>
        {children}
      </Box>
      <Rule width={width} />
      <StatusLine width={width} detail={detail} isTyped={isTyped} keys={hintLine(shown, width, symbols.ellipsis)} />
    </Box>
  );
}

/** As many keys as fit, the last one (`?`, all keys) always. */
function hintLine(hints: Hint[], width: number, ellipsis: string): string {
  const words = hints.map(({ key, label }) => `${key} ${label}`);
  const last = words.pop() ?? '';
  let line = '';
  for (const word of words) {
    if (widthOf(line) + widthOf(word) + widthOf(last) + 4 > width) break;
    line += `${word}  `;
  }
  return cut(line + last, width, ellipsis);
}
