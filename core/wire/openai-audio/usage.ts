import { emptyUsage, type Usage } from '../../canonical/usage.ts';
import { recordOf } from '../../lib/json-value.ts';
import { readResponseUsage } from '../openai-chat/usage.ts';

/** A full day of speech in one file is not plausible. */
const maxSeconds = 86_400;

/** Tokens, or the length of the sound: in the usage, or as `verbose_json` has it. */
export function readTranscriptUsage(response: unknown): Usage | undefined {
  const tokens = readResponseUsage(response);
  if (tokens) return tokens;
  const { usage, duration } = recordOf(response);
  const { type, seconds } = recordOf(usage);
  const heardSeconds = [type === 'duration' ? seconds : undefined, duration].find(isLength);
  return heardSeconds === undefined ? undefined : { ...emptyUsage, heardSeconds };
}

function isLength(seconds: unknown): seconds is number {
  return typeof seconds === 'number' && seconds > 0 && seconds <= maxSeconds;
}
