import { receiptOf } from '../../../../core/billing/receipt.ts';
import { systemActor } from '../../../../core/schemas/actor.ts';
import type { Log } from '../../../../core/schemas/log.ts';
import { logType, signOf } from '../../../../core/schemas/log-type.ts';
import { formatTime } from '../../../flag/value.ts';
import { tookText } from '../../../print/log-record.ts';
import { failureText, historyText, receiptText } from '../../../print/receipt.ts';
import { type Detail, Details } from '../../components/details.tsx';
import { LoadState } from '../../components/load-state.tsx';
import { type Environment, useEnvironment } from '../../environment.ts';
import { grouped } from '../../grouped.ts';
import { useLoad } from '../../hooks/use-load.ts';
import { useCost, useQuota } from '../../hooks/use-quota.ts';
import { shownLogs } from './read-logs.ts';
import { typeText } from './type-text.ts';

/** All of a row, with the sum its charge was computed from and the channels that were tried. */
export function LogDetails({ id }: { id: number }) {
  const environment = useEnvironment();
  const { app, speak } = environment;
  const quota = useQuota();
  const cost = useCost();
  const read = async () => (await shownLogs(environment, [await app.services.logs.get(systemActor, id)]))[0];
  const { data, error, isSlow } = useLoad(read, { key: String(id) });
  if (!data || error !== undefined) return <LoadState error={error} isSlow={isSlow} hasData={false} />;
  return <Details title={speak('tui.log.title', { id })} details={logDetails(data, environment, { quota, cost })} />;
}

interface LogPrices {
  quota(units: number): string;
  /** Of one call, with its digits below a cent. */
  cost(units: number): string;
}

export function logDetails(log: Log, environment: Environment, { quota, cost }: LogPrices): Detail[] {
  return [
    ...fieldsOf(log, environment, log.type === logType.consume ? cost : quota),
    ...receiptLines(log, environment),
  ];
}

function fieldsOf(log: Log, environment: Environment, quota: (units: number) => string): Detail[] {
  const { speak } = environment;
  const common: Detail[] = [
    [speak('tui.log.detail.time'), formatTime(log.created_at)],
    [speak('tui.log.detail.type'), typeText(log, environment)],
    [speak('tui.log.detail.user'), `${log.username} (${log.user_id})`],
  ];
  const content: Detail[] = log.content === '' ? [] : [[speak('tui.log.detail.content'), log.content]];
  const isFailed = log.type === logType.error;
  const isCall = log.type === logType.consume || isFailed;
  if (!isCall) {
    const amount: Detail = [
      speak('tui.log.detail.amount'),
      `${signOf(log)}${quota(log.quota)} (${grouped(log.quota)})`,
    ];
    return [...common, ...(log.quota === 0 ? [] : [amount]), ...content];
  }
  const cost: Detail = [speak('tui.log.detail.cost'), `${quota(log.quota)} (${grouped(log.quota)})`];
  const tokens: Detail = [speak('tui.log.detail.tokens'), grouped(`${log.prompt_tokens}/${log.completion_tokens}`)];
  const took = `${tookText(log)}${log.is_stream ? `, ${speak('tui.log.detail.stream')}` : ''}`;
  return [
    ...common,
    [speak('tui.log.detail.token'), log.token_name],
    [speak('tui.log.detail.model'), log.model_name],
    [speak('tui.log.detail.channel'), log.channel > 0 ? `#${log.channel} ${log.channel_name}` : ''],
    [speak('tui.log.detail.group'), log.group],
    [speak('tui.log.detail.took'), took],
    ...(isFailed ? [] : [tokens, cost]),
    [speak('tui.log.detail.request'), log.request_id ?? ''],
    ...content,
  ];
}

function receiptLines(log: Log, { app, speak, symbols }: Environment): Detail[] {
  if (log.type === logType.error)
    return [...failureText(log, speak), ...historyOf(log, speak, symbols)].map((line) => ['', line]);
  if (log.type !== logType.consume) return [];
  const receipt = receiptOf(log.other);
  const bill = receipt
    ? receiptText(receipt, log.quota, app.services.options.get('QuotaPerUnit'), speak)
    : [`  ${speak('receipt.none')}`];
  const lines = [speak('tui.log.detail.receipt'), ...bill, ...historyOf(log, speak, symbols)];
  return [['', ''], ...lines.map((line): Detail => ['', line])];
}

const historyOf = (log: Log, speak: Environment['speak'], { arrow }: Environment['symbols']) =>
  historyText(log, speak).map((line) => line.replaceAll('→', arrow));
