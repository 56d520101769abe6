import type { ExplanationView } from '../../core/schemas/explain.ts';
import type { Speak } from '../text.ts';
import { hanging, padded, widest } from './hanging.ts';

type Channel = ExplanationView['channels'][number];

const maxNameLength = 24;

/** A line for each channel that has to do with the model, and how many have not. */
export function channelLines(view: ExplanationView, speak: Speak, width: number): string[] {
  const { channels, request, pinned, retries } = view;
  const listed = channels.filter((channel) => !hasNothingOfIt(channel));
  const rows = listed.map((channel) => ({
    head: `${channel.id === request?.channel_id ? '→' : ' '} ${channel.id} ${cut(channel.name)}`,
    type: channel.type_name,
    lot: lotOf(channel, speak),
    why: whyOf(channel, speak),
  }));
  const [head, type, lot] = [rows.map((row) => row.head), rows.map((row) => row.type), rows.map((row) => row.lot)].map(
    widest,
  ) as [number, number, number];
  const indent = head + type + lot + 6;
  const lines = rows.flatMap((row) =>
    hanging([padded(row.head, head), padded(row.type, type), row.lot].join('  '), row.why, indent, width),
  );
  const others = pinned ? 0 : channels.length - listed.length;
  const tried = listed.filter(({ turn }) => turn !== null).length;
  return [
    ...(channels.length > 0 ? [speak('explain.channels')] : []),
    ...lines,
    ...(tried > 1 ? hanging('  ', speak('explain.retries', { retries }), 2, width) : []),
    ...(others > 0 ? hanging('  ', speak('explain.others', { count: others }), 2, width) : []),
  ];
}

/** Among a thousand channels those for other models are no news, and those beside the one that a call names. */
function hasNothingOfIt({ reasons }: Channel): boolean {
  return reasons.some(({ code }) => code === 'explain.modelNotListed' || code === 'explain.otherChannel');
}

function lotOf({ turn, chance }: Channel, speak: Speak): string {
  if (turn === null) return speak('explain.never');
  const percent = `${Math.round(chance * 100)} %`;
  if (turn === 1) return percent;
  return chance === 1 ? speak('explain.turn', { turn }) : `${speak('explain.turn', { turn })} ${percent}`;
}

function whyOf({ turn, weight, first_token: limit, health, reasons }: Channel, speak: Speak): string {
  const words = [limit?.text, health?.text, ...reasons.map(({ message }) => message)].filter(Boolean);
  return [...(turn === 1 ? [speak('explain.weight', { weight })] : []), ...words].join(speak('explain.between'));
}

function cut(name: string): string {
  const characters = [...name];
  return characters.length <= maxNameLength ? name : `${characters.slice(0, maxNameLength - 1).join('')}…`;
}
