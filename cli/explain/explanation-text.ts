import type { QuotaFormat } from '../../core/billing/quota.ts';
import type { ExplanationView } from '../../core/schemas/explain.ts';
import type { Speak } from '../text.ts';
import { channelLines } from './channel-lines.ts';
import { hanging } from './hanging.ts';
import { limitLines } from './limit-lines.ts';
import { priceLines } from './price-lines.ts';
import { requestLines } from './request-lines.ts';

/** The explanation as a person reads it, no wider than the screen but for what is sent itself. */
export function explanationText(view: ExplanationView, format: QuotaFormat, speak: Speak, width: number): string {
  const parts = [
    headLines(view, speak, width),
    channelLines(view, speak, width),
    limitLines(view, format, speak, width),
    ...(view.request ? [requestLines(view, view.request, speak, width)] : []),
    ...(view.price ? [priceLines(view.price, speak, width)] : []),
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function headLines(view: ExplanationView, speak: Speak, width: number): string[] {
  const { model, group, protocol, stream, token, refusals } = view;
  const title = [
    speak('explain.title', { model, group, protocol }),
    stream ? speak('explain.streamed') : '',
    token ? speak('explain.token', { name: token.name, user: token.username }) : '',
  ].join('');
  const indent = 10;
  const verdict = view.served
    ? hanging(speak('explain.served'), servedBy(view, speak), indent, width)
    : refusals.flatMap(({ message, hint }, index) => [
        ...hanging(index === 0 ? speak('explain.refused') : '', message, indent, width),
        ...(hint ? hanging('', hint, indent + 2, width) : []),
      ]);
  return [...hanging('', title, 0, width), ...verdict];
}

function servedBy({ channels, request }: ExplanationView, speak: Speak): string {
  const isSure = channels.filter(({ turn }) => turn === 1).length === 1;
  const named = { id: request?.channel_id ?? 0, name: request?.channel_name ?? '' };
  return speak(isSure ? 'explain.byOne' : 'explain.byChance', named);
}
