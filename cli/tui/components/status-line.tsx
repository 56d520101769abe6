import { useIsScreenReaderEnabled } from 'ink';
import { type Environment, useEnvironment, useTone } from '../environment.ts';
import { cut, oneLine, widthOf, wrap } from '../fit.ts';
import { type StatusView, useStatusView } from '../hooks/use-status.tsx';
import type { WorkProgress } from '../hooks/use-work.ts';
import { Line } from './line.tsx';

const barCells = 20;

interface StatusLineProps {
  width: number;
  detail: string;
  /** In a form what to write is more urgent than what was done before. */
  isTyped: boolean;
  /** The keys, on the line below. */
  keys: string;
}

/**
 * A question, else how far long work has come, else what was just done, else `detail`: what there is to say of the chosen row. A question or a
 * message that is longer than a line takes the place of the keys, too: its end often says what to do.
 */
export function StatusLine({ width, detail, isTyped, keys }: StatusLineProps) {
  const environment = useEnvironment();
  const tone = useTone();
  const view = useStatusView();
  const isRead = useIsScreenReaderEnabled();
  const shorten = (text: string) => cut(text, width, environment.symbols.ellipsis);
  const message = (text: [string, string], color: 'yellow' | 'green' | 'red') => {
    const [first = '', second] = linesOf(text, width, environment.symbols.ellipsis);
    return (
      <>
        <Line text={tone(first, color)} />
        <Line text={second === undefined ? tone(keys, 'dim') : tone(second, color)} />
      </>
    );
  };
  if (view.question) return message(questionText(view.question, environment), 'yellow');
  const isOld = isTyped && detail !== '' && view.notice?.tone === 'green';
  // A failure is not hidden behind a bar that may be there for minutes.
  const isBusy = view.progress && view.notice?.tone !== 'red';
  if (view.notice && !isOld && !isBusy) return message(noticeText(view, environment), view.notice.tone);
  const text = view.progress && isBusy ? progressText(view.progress, environment) : detail;
  return (
    <>
      {isRead && text === '' ? null : <Line text={shorten(text)} />}
      <Line text={tone(keys, 'dim')} />
    </>
  );
}

/** One line, or two. The end is never cut off: it names the keys. */
function linesOf([text, end]: [string, string], width: number, ellipsis: string): string[] {
  const whole = oneLine(text);
  if (widthOf(whole + end) <= width) return [whole + end];
  const [first = ''] = wrap(whole, width);
  const rest = whole.slice(first.length).trimStart();
  return [first, cut(rest, Math.max(0, width - widthOf(end)), ellipsis) + cut(end, width, ellipsis)];
}

function questionText(
  { text, word, typed }: NonNullable<StatusView['question']>,
  { speak, symbols }: Environment,
): [string, string] {
  if (word === undefined) return [text, ' (y/N)'];
  const between = /[.?。？]$/.test(text) ? '' : ` ${symbols.dot}`;
  return [text, `${between} ${speak('confirm.typeWord', { word })} ${typed}${symbols.caret}`];
}

function noticeText({ notice, undoSeconds }: StatusView, { speak, symbols }: Environment): [string, string] {
  const text = notice?.text ?? '';
  if (undoSeconds === 0 || !notice?.undoable) return [text, ''];
  return [text, `  ${symbols.dot} u ${speak('tui.undo', { seconds: undoSeconds })}`];
}

function progressText({ label, done, total }: WorkProgress, { symbols }: Environment): string {
  if (total === 0) return `${label} ${symbols.ellipsis}`;
  const full = Math.round((Math.min(done, total) / total) * barCells);
  const bar = symbols.full.repeat(full) + symbols.empty.repeat(barCells - full);
  return `${label} ${done}/${total} ${bar} ${Math.floor((done / total) * 100)} %`;
}
