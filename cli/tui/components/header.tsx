import { version } from '../../../core/version.ts';
import { type Environment, useEnvironment, useTone } from '../environment.ts';
import { cut, spread, widthOf } from '../fit.ts';
import { useLoad } from '../hooks/use-load.ts';
import { type Pulse, readPulse } from '../pulse.ts';
import type { ScreenEntry } from '../screens/registry.ts';
import { Line } from './line.tsx';

const pulseMs = 5000;
const maxTabLength = 20;

/** What runs where, and how it is doing. */
export function Header({ width }: { width: number }) {
  const environment = useEnvironment();
  const { app, speak, symbols, place } = environment;
  const tone = useTone();
  const { data } = useLoad(() => readPulse(app), { key: 'pulse', everyMs: pulseMs });
  const keys = `? ${speak('tui.keys')}  q ${speak('tui.quit')}`;
  const pulse = data ? [pulseText(data, environment)] : [];
  const whole = ` ${[`tollgate ${version}`, place, ...pulse].join('  ')}`;
  const short = ` ${[`tollgate ${version}`, ...pulse].join('  ')}`;
  // How things go is more urgent than where the data lies.
  const text = widthOf(whole) + widthOf(keys) < width ? whole : short;
  return <Line text={tone(spread(text, keys, width, symbols.ellipsis), 'dim')} />;
}

function pulseText({ requestsPerMinute, server }: Pulse, { speak, symbols }: Environment): string {
  const rate = speak('tui.rate', { count: requestsPerMinute });
  if (!server) return [speak('tui.noServer'), rate].join(` ${symbols.dot} `);
  const up = speak('tui.up', { time: shortTime(server.upSeconds) });
  return [up, rate, speak('tui.errors', { count: server.errors })].join(` ${symbols.dot} `);
}

export function shortTime(seconds: number): string {
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

/** The screens by number; the open one is marked by brackets and by its look. */
export function Tabs({ screens, open, width }: { screens: ScreenEntry[]; open: string; width: number }) {
  const { speak, symbols } = useEnvironment();
  const tone = useTone();
  const words = screens.map(({ id, digit, title }) => ({ isOpen: id === open, text: `${digit} ${speak(title)}` }));
  const lines = Array.from({ length: maxTabLength }, (_, index) =>
    words.map(({ text, isOpen }) => (isOpen ? `[${text}]` : ` ${cut(text, maxTabLength - index, '')} `)).join(''),
  );
  // Where there is little room the other names lose their ends, not the last screens their place.
  const line = lines.find((text) => widthOf(text) <= width) ?? cut(lines.at(-1) ?? '', width, symbols.ellipsis);
  const [marked] = words.filter(({ isOpen }) => isOpen).map(({ text }) => `[${text}]`);
  return <Line text={marked ? line.replace(marked, () => tone(marked, 'bold')) : line} />;
}
