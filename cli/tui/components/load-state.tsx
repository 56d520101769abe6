import { useEnvironment, useTone } from '../environment.ts';
import { cut, oneLine } from '../fit.ts';
import { useBodySize } from '../hooks/use-size.ts';
import { useErrorText } from '../hooks/use-status.tsx';
import { Line } from './line.tsx';

interface LoadStateProps {
  error: unknown;
  isSlow: boolean;
  hasData: boolean;
}

/** What there is to say while nothing is there yet, or when it could not be read. */
export function LoadState({ error, isSlow, hasData }: LoadStateProps) {
  const { speak, symbols } = useEnvironment();
  const { width } = useBodySize();
  const tone = useTone();
  const errorText = useErrorText();
  if (error !== undefined) {
    const retry = `  ${symbols.dot} r ${speak('tui.retry')}`;
    const text = cut(` ${symbols.bad} ${oneLine(errorText(error))}`, width - retry.length, symbols.ellipsis);
    return <Line text={tone(text + retry, 'red')} />;
  }
  return isSlow && !hasData ? <Line text={tone(` ${speak('tui.loading')}`, 'dim')} /> : null;
}
