import type { Message } from '../../canonical/chat-request.ts';
import { orderToolResults } from '../../canonical/tool-order.ts';
import { isStep, type Steps } from '../../lib/steps.ts';
import type { BodyReader } from '../body-reader.ts';
import { attachSignatures } from '../call-signature.ts';
import { wrong } from '../request-field.ts';
import { readBlocks } from './read-request-block.ts';

const roles = ['user', 'assistant', 'system'] as const;

/** The turns as messages; tool results are kept apart from the user's text in the same turn. */
export function* readTurns(body: BodyReader): Steps<Message[]> {
  const turns = body.list('messages');
  if (turns === undefined) throw wrong('request.fieldMissing', 'messages');
  if (turns.length === 0) throw wrong('request.fieldEmpty', 'messages');
  const messages: Message[] = [];
  let read = 0;
  for (const turn of body.eachRecord('messages')) {
    if (isStep(read++)) yield;
    messages.push(...(yield* readTurn(turn)));
  }
  return yield* orderToolResults(messages);
}

function* readTurn(turn: BodyReader): Steps<Message[]> {
  const named = turn.requireText('role');
  const role = roles.find((known) => known === named);
  if (!role) throw wrong('request.notOneOf', turn.at('role'), { allowed: roles.join(', ') });
  if (turn.raw('content') === undefined) throw wrong('request.fieldMissing', turn.at('content'));
  const parts = yield* readBlocks(turn, 'content');
  if (role === 'assistant') return [{ role, parts: yield* attachSignatures(parts) }];
  const results = parts.filter(({ kind }) => kind === 'toolResult');
  const others = parts.filter(({ kind }) => kind !== 'toolResult');
  const spoken: Message[] = others.length > 0 || results.length === 0 ? [{ role, parts: others }] : [];
  return results.length > 0 ? [{ role: 'tool', parts: results }, ...spoken] : spoken;
}
