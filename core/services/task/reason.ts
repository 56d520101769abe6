import { type Language, wordsIn } from '../../text/text.ts';

/** A task as its reader sees it: a reason of ours is kept as a code, a vendor's in the vendor's words. */
export function reasonIn<T extends { fail_reason: string }>(language: Language, task: T): T {
  return { ...task, fail_reason: wordsIn(language, task.fail_reason) };
}
