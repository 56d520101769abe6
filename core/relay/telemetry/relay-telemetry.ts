import type { IncomingHttpHeaders } from 'node:http';
import type { Attributes } from '../../integrations/opentelemetry/attribute.ts';
import type { OpenTelemetry } from '../../integrations/opentelemetry/opentelemetry.ts';
import type { Routing } from '../../services/routing.ts';
import type { CallIdentity, CallSummary } from '../call.ts';
import { createModelLabel } from '../report/model-label.ts';
import { outcomeOf } from '../report/report.ts';
import { type MeasureName, providerOf } from './convention.ts';
import { errorTypeOf, isClientGone } from './error-type.ts';
import type { CallTrace } from './trace.ts';
import { firstTokenEvent, responseAttributes, type TracedAttempt } from './traced-attempt.ts';
import { TracedCall } from './traced-call.ts';

interface TelemetryDependencies {
  openTelemetry: OpenTelemetry<MeasureName>;
  routing: Pick<Routing, 'channel' | 'models'>;
}

export interface RelayTelemetry {
  begin(call: CallIdentity): CallTrace;
  /** One that was not begun has a span of its own, without any inside. */
  callEnded(call: CallIdentity, summary: CallSummary, error: unknown): void;
  close(): Promise<void>;
}

/** For what is left when the server stops. */
const closeMs = 2000;
const noHeaders: IncomingHttpHeaders = {};

/** Tells OpenTelemetry of calls: what they cost and how they went, never what was said in them, by whom and from where. */
export function createRelayTelemetry({ openTelemetry, routing }: TelemetryDependencies): RelayTelemetry {
  const { tracer, histograms } = openTelemetry;
  const modelLabel = createModelLabel(routing);

  function begin({ protocol, startedAt, clientHeaders = noHeaders }: CallIdentity): TracedCall {
    return new TracedCall({ tracer, protocol: protocol.name, startedAt, headers: clientHeaders, measure });
  }

  function measure({ startedAt, endedAt }: TracedAttempt, attributes: Attributes): void {
    if (endedAt !== undefined) histograms?.clientDuration.record((endedAt - startedAt) / 1000, attributes);
  }

  function callEnded(call: CallIdentity, summary: CallSummary, error: unknown): void {
    if (summary.isAside) return;
    const traced = call.trace instanceof TracedCall ? call.trace : begin(call);
    const end = endOf(summary, error);
    if (histograms) measureCall(call, traced, summary, end.errorType);
    traced.finish(
      {
        name: [traced.operation, summary.model].filter(Boolean).join(' '),
        attributes: attributesOf(call, traced, summary, end),
        events: firstTokenOf(call, summary),
        isError: end.isError,
      },
      end.errorType,
    );
  }

  function attributesOf(call: CallIdentity, traced: TracedCall, summary: CallSummary, end: CallEnd): Attributes {
    const { caller } = call;
    const isCharged = summary.outcome !== 'error';
    return {
      'gen_ai.operation.name': traced.operation,
      'gen_ai.provider.name': providerFor(traced, summary),
      'gen_ai.system': providerFor(traced, summary),
      'gen_ai.request.model': summary.model || undefined,
      ...responseAttributes(traced.lastServed?.response),
      'gen_ai.usage.input_tokens': isCharged ? summary.promptTokens : undefined,
      'gen_ai.usage.output_tokens': isCharged ? summary.completionTokens : undefined,
      'http.response.status_code': summary.status || undefined,
      'error.type': end.errorType,
      'tollgate.request.id': call.id,
      'tollgate.user.id': caller.userId,
      'tollgate.token.id': caller.tokenId,
      'tollgate.group': caller.group,
      'tollgate.protocol': call.protocol.name,
      'tollgate.channel.id': summary.channel || traced.lastAttempt?.channelId,
      'tollgate.quota': summary.quota,
      'tollgate.outcome': end.outcome,
      'tollgate.usage.source': summary.usageSource || undefined,
      'tollgate.conversation': summary.conversation,
      'tollgate.rescue': summary.rescue,
      'tollgate.flags': summary.flags || undefined,
    };
  }

  function providerFor({ lastAttempt }: TracedCall, { channel }: CallSummary): string | undefined {
    const type = routing.channel(channel)?.channel.type;
    return type === undefined ? lastAttempt?.provider : providerOf(type);
  }

  function measureCall(call: CallIdentity, traced: TracedCall, summary: CallSummary, errorType: string | undefined) {
    if (!histograms) return;
    const of: Attributes = {
      'gen_ai.operation.name': traced.operation,
      'gen_ai.provider.name': providerFor(traced, summary),
      'gen_ai.request.model': modelLabel(summary.model, call.caller.group),
    };
    const now = performance.now();
    histograms.serverDuration.record((now - call.startedAt) / 1000, { ...of, 'error.type': errorType });
    if (summary.outcome === 'error') return;
    const { promptTokens, completionTokens, firstTokenMs } = summary;
    histograms.tokenUsage.record(promptTokens, { ...of, 'gen_ai.token.type': 'input' });
    histograms.tokenUsage.record(completionTokens, { ...of, 'gen_ai.token.type': 'output' });
    if (firstTokenMs === undefined) return;
    histograms.firstToken.record(firstTokenMs / 1000, of);
    if (errorType !== undefined || completionTokens < 2) return;
    const spokenMs = (traced.lastServed?.endedAt ?? now) - call.startedAt - firstTokenMs;
    histograms.perOutputToken.record(Math.max(0, spokenMs) / 1000 / (completionTokens - 1), of);
  }

  return { begin, callEnded, close: () => openTelemetry.close(closeMs) };
}

interface CallEnd {
  outcome: string;
  errorType: string | undefined;
  isError: boolean;
}

/** The client's own mistakes are not errors of the server; their type is told all the same. */
function endOf({ outcome, failure, status }: CallSummary, error: unknown): CallEnd {
  const cause = error ?? failure;
  const said = error === undefined ? outcome : outcomeOf(error);
  if (cause === undefined || isClientGone(cause)) return { outcome: said, errorType: undefined, isError: false };
  const isClients = error !== undefined && status >= 400 && status < 500;
  return { outcome: said, errorType: errorTypeOf(cause), isError: !isClients };
}

function firstTokenOf({ startedAt }: CallIdentity, { firstTokenMs }: CallSummary) {
  return firstTokenMs === undefined ? [] : [{ name: firstTokenEvent, at: startedAt + firstTokenMs }];
}
