import type { ExplanationView } from '../../core/schemas/explain.ts';
import type { Speak } from '../text.ts';
import { rowLines } from './hanging.ts';
import { prettyJson } from './pretty-json.ts';

type ExplainedRequest = NonNullable<ExplanationView['request']>;

/** What goes over the wire, and what was done to it on the way there. */
export function requestLines(
  { model, protocol }: ExplanationView,
  request: ExplainedRequest,
  speak: Speak,
  width: number,
): string[] {
  const notes = noteRows(request, { model, protocol }, speak).filter(([, text]) => text !== '');
  return [
    speak('explain.request', { id: request.channel_id, name: request.channel_name }),
    ...(notes.length > 0 ? [...rowLines(notes, width), ''] : []),
    `  ${request.method} ${request.url}`,
    ...rowLines(Object.entries(request.headers), width),
    '',
    prettyJson(request.body, (count) => speak('explain.blob', { count })),
  ];
}

function noteRows(
  request: ExplainedRequest,
  { model, protocol }: { model: string; protocol: string },
  speak: Speak,
): [label: string, text: string][] {
  const { upstream_model, upstream_protocol, dropped, signed_by } = request;
  const losses = (kind: ExplainedRequest['dropped'][number]['kind']) =>
    dropped
      .filter((loss) => loss.kind === kind)
      .map(({ field }) => field)
      .join(', ');
  const isConverted = upstream_protocol !== protocol;
  return [
    [speak('explain.signed'), signed_by && speak('explain.signedBy', { who: signed_by })],
    [speak('explain.proxy'), request.proxy],
    [
      speak('explain.model'),
      upstream_model === model ? '' : speak('explain.mapped', { model: upstream_model, asked: model }),
    ],
    [speak('explain.converted'), isConverted ? speak('explain.fromTo', { from: protocol, to: upstream_protocol }) : ''],
    [speak('explain.dropped'), losses('dropped')],
    [speak('explain.emulated'), losses('emulated')],
    [speak('explain.overridden'), request.overridden.join(', ')],
    [speak('explain.fetched'), request.fetched.join(' ')],
  ];
}
