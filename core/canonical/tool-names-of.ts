import { flatMapInSteps, type Steps } from '../lib/steps.ts';
import type { ChatRequest } from './chat-request.ts';

/** Every tool name of a request: definitions, calls of earlier turns, and the one that is chosen. */
export function* toolNamesOf({ tools, messages, toolChoice }: ChatRequest): Steps<string[]> {
  const defined = tools.flatMap((tool) => (tool.kind === 'hosted' ? [] : [tool.name]));
  const called = yield* flatMapInSteps(messages, ({ parts }) =>
    parts.flatMap((part) => (part.kind === 'toolCall' ? [part.name] : [])),
  );
  return [...defined, ...called, ...(toolChoice?.mode === 'named' ? [toolChoice.name] : [])];
}
