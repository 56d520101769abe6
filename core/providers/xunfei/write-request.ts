import { createHash } from 'node:crypto';
import type { WriteContext, WrittenRequest } from '../../canonical/chat-codec.ts';
import type { ChatRequest } from '../../canonical/chat-request.ts';
import { clientField } from '../../canonical/client-field.ts';
import { type JsonObject, recordOf, recordsOf, textOf } from '../../lib/json-value.ts';
import type { Steps } from '../../lib/steps.ts';
import { type NearOpenAi, writeNearOpenAi } from '../near-openai.ts';
import { contentOf, mergeTurns, splitSystem, systemAsTurns, type TextTurn } from '../text-turn.ts';
import { typeFacts } from '../type-fact.ts';
import type { SparkVersion } from './version.ts';

export const { label } = typeFacts(18);

const vendor = {
  label,
  hasVision: false,
  unsaid: ['topP', 'seed', 'frequencyPenalty', 'presencePenalty', 'stop', 'reasoning'],
} as const satisfies Omit<NearOpenAi, 'hasTools'>;

const maxUserIdLength = 32;

/** A neutral call as the one message of a WebSocket; the application's id comes with the key. */
export function* writeSparkRequest(
  request: ChatRequest,
  context: WriteContext,
  version: SparkVersion,
): Steps<WrittenRequest> {
  const { origin, sampling, maxOutput, userId } = request;
  const { domain, outputLimit, knowsSystem, callsFunctions } = version;
  const written = yield* writeNearOpenAi(request, context, { ...vendor, hasTools: callsFunctions });
  const { messages, tools, toolChoice, losses, changes } = written;
  const { system, others } = splitSystem(messages);
  const isMoved = request.messages.some(({ role }) => role === 'system') || (system !== '' && !knowsSystem);
  const hasCalls = messages.some(({ role }) => role === 'tool');
  if (isMoved || hasCalls) losses.emulate(clientField(origin, 'messages'));
  if ((maxOutput ?? 0) > outputLimit) losses.emulate(clientField(origin, 'maxOutput'));
  const isForced = toolChoice !== undefined && toolChoice !== 'auto' && toolChoice !== 'none';
  if (isForced) losses.drop(clientField(origin, 'toolChoice'));
  const { temperature, topK } = sampling;
  return {
    losses: losses.list,
    ...changes,
    body: {
      header: { ...(userId !== undefined && { uid: shortId(userId) }) },
      parameter: {
        chat: {
          domain,
          ...(temperature !== undefined && { temperature: Math.min(1, Math.max(0.01, temperature)) }),
          ...(topK !== undefined && { top_k: Math.min(6, Math.max(1, topK)) }),
          ...(maxOutput !== undefined && { max_tokens: Math.min(outputLimit, maxOutput) }),
        },
      },
      payload: {
        message: { text: [...instructionTurns(system, knowsSystem), ...mergeTurns(others.flatMap(writeTurn))] },
        ...(tools.length > 0 && toolChoice !== 'none' && { functions: { text: tools.map(writeFunction) } }),
      },
    },
  };
}

function instructionTurns(system: string, knowsSystem: boolean): TextTurn[] {
  if (!knowsSystem || system === '') return systemAsTurns(system);
  return [{ role: 'system', content: system }];
}

/** Turns are text alone: calls of functions and their results are told in words. */
function writeTurn(message: JsonObject): TextTurn[] {
  const content = contentOf(message);
  if (message.role === 'tool') return [{ role: 'user', content: `Result of the function: ${content}` }];
  const calls = recordsOf(message.tool_calls).map(({ function: called }) => {
    const { name, arguments: text } = recordOf(called);
    return `I call the function ${textOf(name)} with ${textOf(text) || '{}'}.`;
  });
  return [{ role: textOf(message.role), content: [content, ...calls].filter(Boolean).join('\n') }];
}

function writeFunction({ function: written }: JsonObject): JsonObject {
  const { name, description, parameters } = recordOf(written);
  return { name, description: description ?? name, parameters: parameters ?? { type: 'object', properties: {} } };
}

function shortId(userId: string): string {
  if (userId.length <= maxUserIdLength) return userId;
  return createHash('sha256').update(userId).digest('hex').slice(0, maxUserIdLength);
}
