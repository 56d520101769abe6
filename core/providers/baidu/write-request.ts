import type { WriteContext, WrittenRequest } from '../../canonical/chat-codec.ts';
import type { ChatRequest } from '../../canonical/chat-request.ts';
import { clientField } from '../../canonical/client-field.ts';
import type { Losses } from '../../canonical/loss.ts';
import { type JsonObject, recordOf } from '../../lib/json-value.ts';
import type { Steps } from '../../lib/steps.ts';
import { type NearOpenAi, writeNearOpenAi } from '../near-openai.ts';
import { splitSystem } from '../text-turn.ts';
import { typeFacts } from '../type-fact.ts';
import { callsFunctions } from './endpoint.ts';
import { writeTurns } from './write-turn.ts';

export const { label } = typeFacts(15);

const vendor = {
  label,
  hasVision: false,
  unsaid: ['seed', 'presencePenalty', 'topK', 'reasoning'],
  extras: ['penalty_score', 'disable_search', 'enable_citation'],
} as const satisfies Omit<NearOpenAi, 'hasTools'>;

/** The vendor's bounds: 0 is outside the range of temperatures, and a response has two tokens. */
const minTemperature = 0.01;
const minOutput = 2;

/** A neutral call for the older interface; the model is in the address. */
export function* writeBaiduRequest(request: ChatRequest, context: WriteContext): Steps<WrittenRequest> {
  const hasTools = callsFunctions(context.model);
  const { messages, tools, toolChoice, losses, changes } = yield* writeNearOpenAi(request, context, {
    ...vendor,
    hasTools,
  });
  const { system, others } = splitSystem(messages);
  // Instructions alone are what the user says: there is no call without a turn.
  const turns = others.length === 0 ? [{ role: 'user', content: system }] : writeTurns(others);
  const { origin, stream, sampling, stop, maxOutput, userId, extras } = request;
  if (request.messages.some(({ role }) => role === 'system')) losses.emulate(clientField(origin, 'messages'));
  return {
    losses: losses.list,
    ...changes,
    body: {
      messages: turns,
      ...(system !== '' && others.length > 0 && { system }),
      ...(stream && { stream: true }),
      ...(sampling.temperature !== undefined && { temperature: between(minTemperature, sampling.temperature, 1) }),
      ...(sampling.topP !== undefined && { top_p: between(0, sampling.topP, 1) }),
      ...writePenalty(request, losses),
      ...(maxOutput !== undefined && { max_output_tokens: Math.max(minOutput, maxOutput) }),
      ...(stop.length > 0 && { stop: stop.slice(0, 4) }),
      ...(userId !== undefined && { user_id: userId }),
      ...writeFunctions(tools, toolChoice, { origin, losses }),
      disable_search: extras.disable_search ?? false,
      enable_citation: extras.enable_citation ?? false,
    },
  };
}

function between(min: number, value: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}

/** From 1 to 2, where OpenAI's goes from -2 to 2 around 0: rewards for repetition cannot be said. */
function writePenalty({ origin, sampling, extras }: ChatRequest, losses: Losses): JsonObject {
  if (typeof extras.penalty_score === 'number') return { penalty_score: extras.penalty_score };
  const { frequencyPenalty: penalty } = sampling;
  if (penalty === undefined) return {};
  if (penalty < 0) losses.drop(clientField(origin, 'frequencyPenalty'));
  return { penalty_score: 1 + Math.max(0, penalty) / 2 };
}

interface FunctionWriting {
  origin: ChatRequest['origin'];
  losses: Losses;
}

/** The model may be made to call one function, but not to call any. */
function writeFunctions(tools: JsonObject[], choice: unknown, { origin, losses }: FunctionWriting): JsonObject {
  if (tools.length === 0 || choice === 'none') return {};
  const functions = tools.map(({ function: written }) => {
    const { name, description, parameters } = recordOf(written);
    return { name, description: description ?? name, parameters: parameters ?? { type: 'object', properties: {} } };
  });
  if (choice === 'required') losses.drop(clientField(origin, 'toolChoice'));
  const isNamed = typeof choice === 'object' && choice !== null;
  return { functions, ...(isNamed && { tool_choice: choice }) };
}
