import { Gauge } from 'prom-client';
import type { Stray } from '../../billing/ledger-store.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import { CellCounter } from '../../integrations/prometheus/cell-counter.ts';
import { CellHistogram } from '../../integrations/prometheus/cell-histogram.ts';
import type { Metrics } from '../../integrations/prometheus/metrics.ts';
import { channelTypes } from '../../schemas/channel-type-list.ts';
import { conversationTurns } from '../../schemas/conversation-turn.ts';
import type { FirstTokenLimit } from '../../schemas/first-token.ts';
import type { Routing } from '../../services/routing.ts';
import type { CallIdentity, CallSummary } from '../call.ts';
import { createModelLabel } from './model-label.ts';
import { bugOf, outcomeOf } from './report.ts';

interface RelayMetricsDependencies {
  metrics: Metrics;
  routing: Pick<Routing, 'channel' | 'channels' | 'models'>;
  callsInFlight(): number;
  callsAbandoned(): number;
  /** Rows of failed calls that were not written, because there were too many or the database was away. */
  errorRowsDropped(): number;
  isShedding(): boolean;
}

const durationBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];
const firstTokenBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const limitBuckets = [5, 10, 12, 15, 20, 30, 60, 120, 300, 600];
const typeNames = new Map(channelTypes.map(({ number, name }) => [number, name]));

/** Counts calls as they end. No user, token or text of a caller becomes a label. */
export function createRelayMetrics({
  metrics,
  routing,
  callsInFlight,
  callsAbandoned,
  errorRowsDropped,
  isShedding,
}: RelayMetricsDependencies) {
  const { registry } = metrics;
  const counter = (name: string, help: string, labels: string[]) =>
    new CellCounter({ registry, name: `tollgate_${name}`, help, labels });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `tollgate_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  const histogram = (name: string, help: string, buckets: number[], label = 'protocol') =>
    new CellHistogram({ registry, name: `tollgate_${name}`, help, buckets, label });

  const labels = ['protocol', 'channel_type', 'model', 'outcome'];
  const requests = counter('relay_requests_total', 'Relay calls that have ended.', labels);
  const tokens = counter('relay_tokens_total', 'Tokens of calls that were charged.', ['model', 'direction']);
  const quota = counter('relay_quota_total', 'Quota units charged.', ['model']);
  const attempts = counter('relay_attempts_total', 'Tries on one channel, by how they ended.', ['reason']);
  const rescues = counter('relay_rescues_total', 'Streams that broke off, by whether another upstream went on.', [
    'outcome',
  ]);
  for (const outcome of ['whole', 'broken']) rescues.of(outcome).value = 0;
  const conversations = counter(
    'relay_conversation_calls_total',
    'Calls whose conversation decided: its channel served it again, another one had to, or it is new here.',
    ['turn'],
  );
  for (const turn of conversationTurns) conversations.of(turn).value = 0;
  const unexpected = counter('unexpected_errors_total', 'Errors of this program itself; the log has each.', ['where']);
  for (const where of ['relay', 'http']) unexpected.of(where).value = 0;
  const duration = histogram('relay_duration_seconds', 'From the request to the end of its response.', durationBuckets);
  const firstToken = histogram('relay_first_token_seconds', 'Until a stream began to respond.', firstTokenBuckets);
  const firstTokenLimit = histogram(
    'relay_first_token_limit_seconds',
    'Until an attempt has to have its first token, by what decided: a setting, too few measurements, the minimum, measured times, or waits without a token.',
    limitBuckets,
    'source',
  );
  const left = counter('relay_first_token_timeouts_total', 'Attempts given up for that, by what had decided.', [
    'source',
  ]);
  const strays = counter('ledger_strays_total', 'Settlements without a hold, by what became of them.', ['state']);
  for (const state of ['booked', 'parked']) strays.of(state).value = 0;
  gauge('relay_in_flight', 'Relay calls under way.', callsInFlight);
  gauge('relay_abandoned', 'Relay calls that go on 30 s after their client has left.', callsAbandoned);
  gauge('log_error_rows_dropped', 'Rows of failed calls that were not written.', errorRowsDropped);
  gauge('relay_shedding', 'Processes that turn new calls away because they are overloaded.', () =>
    Number(isShedding()),
  );
  new Gauge({
    name: 'tollgate_channel_enabled',
    help: 'Whether a channel, by its id, is on.',
    registers: [registry],
    labelNames: ['channel'],
    aggregator: 'max',
    collect() {
      this.reset();
      for (const { channel, enabled } of routing.channels()) this.set({ channel: String(channel.id) }, Number(enabled));
    },
  });

  const modelLabel = createModelLabel(routing);

  return {
    callEnded(call: CallIdentity, summary: CallSummary, error: unknown): void {
      const { name: protocol } = call.protocol;
      const model = modelLabel(summary.model, call.caller.group);
      const type = typeNames.get(routing.channel(summary.channel)?.channel.type ?? 0) ?? 'none';
      requests.of(protocol, type, model, error === undefined ? summary.outcome : outcomeOf(error)).value++;
      // What met a channel has been counted there.
      if (!(error instanceof UpstreamError) && bugOf(error) !== undefined) unexpected.of('relay').value++;
      duration.observe(protocol, (performance.now() - call.startedAt) / 1000);
      if (error !== undefined) return;
      // What broke has been counted by its reason.
      if (summary.failure === undefined) attempts.of(attemptReasons[summary.outcome] ?? 'ok').value++;
      if (summary.rescue) rescues.of(summary.rescue).value++;
      if (summary.conversation) conversations.of(summary.conversation).value++;
      tokens.of(model, 'prompt').value += summary.promptTokens;
      tokens.of(model, 'completion').value += summary.completionTokens;
      quota.of(model).value += summary.quota;
      if (summary.firstTokenMs !== undefined) firstToken.observe(protocol, summary.firstTokenMs / 1000);
    },
    strayed(found: readonly Stray[]): void {
      for (const { state } of found) strays.of(state).value++;
    },
    freeCallFailed(error: unknown): void {
      if (bugOf(error) !== undefined) unexpected.of('relay').value++;
    },
    unexpectedOverHttp(): void {
      unexpected.of('http').value++;
    },
    attemptLimited({ ms, source }: FirstTokenLimit): void {
      firstTokenLimit.observe(source, ms / 1000);
    },
    attemptLeft({ source }: FirstTokenLimit): void {
      left.of(source).value++;
    },
    attemptFailed(error: UpstreamError): void {
      if (bugOf(error) !== undefined) unexpected.of('relay').value++;
      attempts.of(reasonOf(error)).value++;
    },
  };
}

/** For responses that had begun. */
const attemptReasons: Record<string, string> = { clientGone: 'clientGone', stopped: 'stopped' };

function reasonOf({ kind, silent, status }: UpstreamError): string {
  if (silent) return 'silent';
  return status === 429 && kind === 'retry' ? 'limited' : kind;
}
