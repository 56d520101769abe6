import { Box, Text, useIsScreenReaderEnabled } from 'ink';
import { useEnvironment, useTone } from '../environment.ts';
import { harmless } from '../fit.ts';

/** One line of the screen; an empty one keeps its place. The text may contain tones, and is cut before. */
export function Line({ text = '' }: { text?: string }) {
  return (
    <Box flexShrink={0}>
      <Text wrap="truncate-end">{harmless(text) || ' '}</Text>
    </Box>
  );
}

/** A rule across the screen, of no use to a screen reader. */
export function Rule({ width }: { width: number }) {
  const { symbols } = useEnvironment();
  const tone = useTone();
  return useIsScreenReaderEnabled() ? null : <Line text={tone(symbols.line.repeat(width), 'dim')} />;
}
