import { useIsScreenReaderEnabled } from 'ink';
import { type Environment, useEnvironment, useTone } from '../environment.ts';
import { cut, widthOf } from '../fit.ts';
import { type StatusView, useStatusView } from '../hooks/use-status.tsx';
import type { WorkProgress } from '../hooks/use-work.ts';
import { Line } from './line.tsx';

const barCells = 20;

interface StatusLineProps {
  width: number;
  detail: string;
  /** In a form what to write is more urgent than what was done before. */
  isTyped: boolean;
}

/** A question, else how far long work has come, else what was just done, else `detail`: what there is to say of the chosen row. */
export function StatusLine({ width, detail, isTyped }: StatusLineProps) {
  const environment = useEnvironment();
  const tone = useTone();
  const view = useStatusView();
  const isRead = useIsScreenReaderEnabled();
  const shorten = (text: string) => cut(text, width, environment.symbols.ellipsis);
  /** The end is never cut off: it names the keys. */
  const shortenHead = ([text, end]: [string, string]) =>
    cut(text, Math.max(0, width - widthOf(end)), environment.symbols.ellipsis) + end;
  if (view.question)
    return <Line text={tone(shorten(shortenHead(questionText(view.question, environment))), 'yellow')} />;
  // A failure is not hidden behind a bar that may be there for minutes.
  if (view.progress && view.notice?.tone !== 'red')
    return <Line text={shorten(progressText(view.progress, environment))} />;
  const isOld = isTyped && detail !== '' && view.notice?.tone === 'green';
  if (view.notice && !isOld)
    return <Line text={tone(shorten(shortenHead(noticeText(view, environment))), view.notice.tone)} />;
  return isRead && detail === '' ? null : <Line text={shorten(detail)} />;
}

function questionText(
  { text, word, typed }: NonNullable<StatusView['question']>,
  { speak, symbols }: Environment,
): [string, string] {
  if (word === undefined) return [text, ' (y/N)'];
  return [text, ` ${speak('confirm.typeWord', { word })} ${typed}${symbols.caret}`];
}

function noticeText({ notice, undoSeconds }: StatusView, { speak, symbols }: Environment): [string, string] {
  const text = notice?.text.replace(/\s+/g, ' ') ?? '';
  if (undoSeconds === 0 || !notice?.undoable) return [text, ''];
  return [text, `  ${symbols.dot} u ${speak('tui.undo', { seconds: undoSeconds })}`];
}

function progressText({ label, done, total }: WorkProgress, { symbols }: Environment): string {
  if (total === 0) return `${label} ${symbols.ellipsis}`;
  const full = Math.round((Math.min(done, total) / total) * barCells);
  const bar = symbols.full.repeat(full) + symbols.empty.repeat(barCells - full);
  return `${label} ${done}/${total} ${bar} ${Math.floor((done / total) * 100)} %`;
}
