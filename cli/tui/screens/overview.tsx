import { tookText } from '../../print/log-record.ts';
import { type Layout, layOut } from '../../print/table.ts';
import { Line } from '../components/line.tsx';
import { LoadState } from '../components/load-state.tsx';
import { frameLines, ScreenFrame } from '../components/screen-frame.tsx';
import { sparkline } from '../components/sparkline.ts';
import { type Environment, useEnvironment, useTone } from '../environment.ts';
import { cut, oneLine, pad, widthOf } from '../fit.ts';
import { grouped } from '../grouped.ts';
import { keyLayer, onKeys, useKeys } from '../hooks/use-keys.tsx';
import { useLoad } from '../hooks/use-load.ts';
import { useCost, useQuota } from '../hooks/use-quota.ts';
import { useBodySize } from '../hooks/use-size.ts';
import { momentText } from '../moment-text.ts';
import { type Overview, readOverview } from './overview/read-overview.ts';

const everyMs = 5000;
/** Above the calls: figures, a blank line and the title. */
const figureLines = 7;

/** How the installation is doing, and what it did last. */
export function OverviewScreen() {
  const environment = useEnvironment();
  const { app, speak, symbols } = environment;
  const { height } = useBodySize();
  const calls = Math.max(1, height - frameLines - figureLines - 1);
  const { data, error, isSlow, reload } = useLoad(() => readOverview(app, calls), { key: String(calls), everyMs });
  useKeys(onKeys({ r: reload }), { layer: keyLayer.screen });
  return (
    <ScreenFrame
      title={` ${speak('tui.overview')}`}
      aside={`${symbols.refresh} ${everyMs / 1000}s`}
      hints={[{ key: 'r', label: speak('tui.keyRefresh') }]}
    >
      <LoadState error={error} isSlow={isSlow} hasData={data !== undefined} />
      {data && <Figures overview={data} />}
      {data && <LatestCalls overview={data} />}
    </ScreenFrame>
  );
}

function Figures({ overview }: { overview: Overview }) {
  const environment = useEnvironment();
  const { speak, symbols } = environment;
  const { width } = useBodySize();
  const tone = useTone();
  const quota = useQuota();
  const { pulse, minutes, spentToday } = overview;
  const spark = sparkline([...minutes.slice(0, -1), pulse.requestsPerMinute], symbols.spark);
  const figures: [label: string, value: string][] = [
    [speak('tui.overview.requests'), `${spark}  ${pulse.requestsPerMinute}`],
    [speak('tui.overview.tokens'), shortNumber(pulse.tokensPerMinute)],
    [speak('tui.overview.channels'), channelText(overview, environment)],
    [speak('tui.overview.spend'), quota(spentToday)],
    [speak('tui.overview.errors'), errorText(overview, environment)],
  ];
  const room = Math.max(...figures.map(([label]) => widthOf(label)));
  return figures.map(([label, value]) => {
    const head = ` ${pad(label, room)}  `;
    return <Line key={label} text={tone(head, 'dim') + cut(value, width - widthOf(head), symbols.ellipsis)} />;
  });
}

/** Those that are on and fail are named apart: they are counted as on. */
function channelText({ channels }: Overview, { speak }: Environment): string {
  const states = speak('tui.overview.states', channels);
  if (channels.failing === 0) return states;
  return speak('tui.overview.withFailing', { states, count: channels.failing });
}

function errorText({ pulse: { server, isSilent } }: Overview, { speak }: Environment): string {
  if (!server) return speak(isSilent ? 'tui.serverSilent' : 'tui.overview.noServer');
  const share = server.calls === 0 ? 0 : (server.errors / server.calls) * 100;
  return speak('tui.overview.errorShare', { share: share.toFixed(1), calls: grouped(server.calls) });
}

function LatestCalls({ overview: { latest } }: { overview: Overview }) {
  const { speak, symbols, color } = useEnvironment();
  const { width } = useBodySize();
  const tone = useTone();
  const cost = useCost();
  const columns: Layout[] = [
    { title: speak('tui.overview.time'), whole: true },
    { title: speak('tui.overview.user') },
    { title: speak('tui.overview.model'), keep: true },
    { title: speak('tui.overview.channel') },
    { title: speak('tui.overview.took'), right: true },
    { title: speak('tui.log.tokens'), right: true, extra: true },
    { title: speak('tui.overview.cost'), right: true },
  ];
  const rows = latest.map((log) =>
    [
      momentText(log.created_at),
      log.username,
      log.model_name,
      log.channel_name || `#${log.channel}`,
      tookText(log),
      grouped(`${log.prompt_tokens}/${log.completion_tokens}`),
      cost(log.quota),
    ].map((text) => ({ text: oneLine(text) })),
  );
  const lines = layOut(columns, rows, { width: width - 1, color, ellipsis: symbols.ellipsis });
  return (
    <>
      <Line />
      <Line text={tone(` ${speak('tui.overview.latest')}`, 'bold')} />
      {latest.length === 0 && <Line text={tone(` ${speak('tui.overview.noCalls')}`, 'dim')} />}
      {latest.length > 0 &&
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place on the screen.
        lines.map((text, index) => <Line key={index} text={` ${text}`} />)}
    </>
  );
}

function shortNumber(value: number): string {
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)}M`;
  return value >= 1e4 ? `${(value / 1e3).toFixed(1)}k` : String(value);
}
