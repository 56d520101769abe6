import type { Message } from '../../canonical/chat-request.ts';
import { AppError } from '../../errors/app-error.ts';
import { countValueMarks } from '../../lib/json-value-bound.ts';
import { isStep, type Steps } from '../../lib/steps.ts';

const mebibyte = 1024 * 1024;
/** More than a model's context has room for. */
const maxLength = 8 * mebibyte;
/** Commas and brackets, those of quoted program text included: some 20 ms of parsing. */
const maxMarks = 400_000;

/**
 * Arguments of tool calls are JSON inside of a text, which the body's own bounds do not see: upstreams that have objects there make
 * us parse it in one piece. Throws `convert.argumentsTooLarge`.
 */
export function* checkArgumentBound(messages: readonly Message[]): Steps<void> {
  let [length, marks] = [0, 0];
  for (const [index, { parts }] of messages.entries()) {
    if (isStep(index)) yield;
    for (const part of parts) {
      if (part.kind !== 'toolCall') continue;
      length += part.arguments.length;
      if (length > maxLength) throw tooLarge('MiB', maxLength / mebibyte);
      marks += countValueMarks(part.arguments);
      if (marks > maxMarks) throw tooLarge('values', maxMarks);
    }
  }
}

function tooLarge(what: string, maximum: number): AppError {
  return new AppError('convert.argumentsTooLarge', { what, maximum });
}
