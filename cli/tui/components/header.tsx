import { type Environment, useEnvironment, useTone } from '../environment.ts';
import { headLine, tabLine } from '../head-line.ts';
import { useLoad } from '../hooks/use-load.ts';
import { type Pulse, readPulse } from '../pulse.ts';
import type { ScreenEntry } from '../screens/registry.ts';
import { Line } from './line.tsx';

const pulseMs = 5000;

/** What runs where, and how it is doing. */
export function Header({ width }: { width: number }) {
  const environment = useEnvironment();
  const { app, speak, symbols, place } = environment;
  const tone = useTone();
  // The text, which changes less often than the figures.
  const readText = async () => pulseText(await readPulse(app), environment);
  const { data: pulse = '' } = useLoad(readText, { key: 'pulse', everyMs: pulseMs });
  const line = { speak, width, ellipsis: symbols.ellipsis };
  return <Line text={tone(headLine(line, { place, pulse }), 'dim')} />;
}

function pulseText({ requestsPerMinute, server, isSilent }: Pulse, { speak, symbols }: Environment): string {
  const rate = speak('tui.rate', { count: requestsPerMinute });
  if (!server) return [speak(isSilent ? 'tui.serverSilent' : 'tui.noServer'), rate].join(` ${symbols.dot} `);
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
  const tabs = screens.map(({ id, digit, title }) => ({ isOpen: id === open, digit, name: speak(title) }));
  const { line, marked } = tabLine(tabs, { width, ellipsis: symbols.ellipsis });
  return <Line text={marked ? line.replace(marked, () => tone(marked, 'bold')) : line} />;
}
