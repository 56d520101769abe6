import { countOf, isJsonObject, type JsonObject, recordOf, textOf } from '../../lib/json-value.ts';
import { coded } from '../../text/coded.ts';
import { wordsIn } from '../../text/text.ts';
import { anthropicTypeOf } from './error-rule.ts';

const metricsField = 'amazon-bedrock-invocationMetrics';
const guardrailField = 'amazon-bedrock-guardrailAction';

/** Writes what Bedrock's chunks contain as events of Anthropic's own stream. One per stream. All texts are latin1: one character per byte. */
export function createClaudeEvents() {
  let hasUsage = false;

  /** `json` is one event, which names its type only inside. */
  function write(json: Buffer): string {
    const event = parse(json);
    // The reader of the stream refuses in its own words what is not an event.
    if (!isJsonObject(event)) return block('', oneLine(json.toString('latin1')));
    const type = textOf(event.type);
    if (type === 'message_delta') hasUsage ||= countOf(recordOf(event.usage).output_tokens) !== undefined;
    const metrics = type === 'message_stop' && !hasUsage ? usageIn(event[metricsField]) : undefined;
    const usage = metrics ? encoded({ type: 'message_delta', delta: {}, usage: metrics }) : '';
    const isOurs = metricsField in event || guardrailField in event || json.includes(10) || json.includes(13);
    return usage + (isOurs ? encoded(ownEvent(event)) : block(type, json.toString('latin1')));
  }

  /** Anthropic's stream has one shape for every failure. */
  function fail(exception: string, message: string): string {
    const error = {
      type: anthropicTypeOf(exception),
      message: message || exception || wordsIn('en', coded('upstream.failed')),
    };
    return encoded({ type: 'error', error });
  }

  return { write, fail };
}

/** The event as Anthropic would have sent it: its clients know nothing of Bedrock's members. */
function ownEvent({ [metricsField]: _metrics, [guardrailField]: guardrail, ...event }: JsonObject): JsonObject {
  const delta = recordOf(event.delta);
  if (event.type !== 'message_delta' || guardrail !== 'INTERVENED' || delta.stop_reason) return event;
  return { ...event, delta: { ...delta, stop_reason: 'refusal' } };
}

/** The bill of a stream whose last event before the end named no usage. */
function usageIn(metrics: unknown): JsonObject | undefined {
  const { inputTokenCount, outputTokenCount, cacheReadInputTokenCount, cacheWriteInputTokenCount } = recordOf(metrics);
  if (countOf(inputTokenCount) === undefined || countOf(outputTokenCount) === undefined) return undefined;
  return {
    input_tokens: inputTokenCount,
    output_tokens: outputTokenCount,
    ...(countOf(cacheReadInputTokenCount) !== undefined && { cache_read_input_tokens: cacheReadInputTokenCount }),
    ...(countOf(cacheWriteInputTokenCount) !== undefined && { cache_creation_input_tokens: cacheWriteInputTokenCount }),
  };
}

function encoded(event: JsonObject): string {
  return block(textOf(event.type), Buffer.from(JSON.stringify(event), 'utf8').toString('latin1'));
}

function block(type: string, data: string): string {
  return /^\w+$/.test(type) ? `event: ${type}\ndata: ${data}\n\n` : `data: ${data}\n\n`;
}

/** A line break would end the event early. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}

function parse(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString('utf8'));
  } catch {
    return undefined;
  }
}
