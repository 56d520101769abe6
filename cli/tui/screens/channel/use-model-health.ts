import { systemActor } from '../../../../core/schemas/actor.ts';
import type { ModelHealth } from '../../../../core/schemas/channel-health.ts';
import { wordsIn } from '../../../../core/text/text.ts';
import { formatTime } from '../../../flag/value.ts';
import { firstTokenText, recentSpan, shareText } from '../../../print/channel-health.ts';
import { layOut } from '../../../print/table.ts';
import type { Detail } from '../../components/details.tsx';
import type { ListColumn } from '../../components/list-screen.tsx';
import { type Environment, useEnvironment } from '../../environment.ts';
import { cut, oneLine } from '../../fit.ts';
import { useLoad } from '../../hooks/use-load.ts';
import { useBodySize } from '../../hooks/use-size.ts';
import { useErrorText } from '../../hooks/use-status.tsx';

const everyMs = 10_000;
const errorCells = 60;

/** How the models of a channel are served, as lines among its details; they follow when they are read. */
export function useModelHealth(id: number): Detail[] {
  const environment = useEnvironment();
  const { app, speak, symbols } = environment;
  const { width } = useBodySize();
  const errorText = useErrorText();
  const read = () => app.services.health.read(systemActor, { channel_id: id, model: '' });
  const { data, error } = useLoad(read, { key: String(id), everyMs });
  const label = speak('tui.channel.detail.health');
  if (error !== undefined) return [[label, `${symbols.bad} ${errorText(error)}`]];
  if (!data) return [[label, symbols.ellipsis]];
  if (data.length === 0) return [[label, speak('tui.channel.health.none')]];
  const lines = healthLines(data, environment, width - 2);
  return [[label, speak('tui.channel.health.what')], ...lines.map((line): Detail => ['', line]), ['', '']];
}

function healthLines(rows: ModelHealth[], environment: Environment, width: number): string[] {
  const columns = columnsFor(environment);
  const cells = rows.map((row) => columns.map(({ value }) => ({ text: oneLine(String(value(row))) })));
  return layOut(columns, cells, { width, color: false, ellipsis: environment.symbols.ellipsis });
}

function columnsFor({ speak, symbols, language }: Environment): ListColumn<ModelHealth>[] {
  const errorOf = ({ last_error: error }: ModelHealth) =>
    cut(oneLine(wordsIn(language, error)), errorCells, symbols.ellipsis);
  return [
    { title: speak('tui.channel.health.model'), keep: true, value: ({ model }) => model },
    { title: speak('tui.channel.health.hour'), right: true, value: ({ hour }) => shareText(hour) },
    { title: speak('tui.channel.health.day'), right: true, value: ({ day }) => shareText(day) },
    { title: speak('tui.channel.health.firstToken'), right: true, value: (row) => firstTokenText(recentSpan(row)) },
    { title: speak('tui.channel.health.speed'), right: true, value: (row) => recentSpan(row).speed_p50 ?? '-' },
    { title: speak('tui.channel.lastError'), value: errorOf },
    {
      title: speak('tui.channel.health.errorAt'),
      extra: true,
      value: ({ last_error_at: at }) => (at > 0 ? formatTime(at) : ''),
    },
  ];
}
