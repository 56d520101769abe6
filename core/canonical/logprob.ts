import { isJsonObject, type JsonObject, recordsOf, textOf } from '../lib/json-value.ts';

/** The likelihood of a token as OpenAI has it, and as the neutral events carry it. */
export interface Logprob {
  token: string;
  logprob: number;
  bytes: number[];
  top_logprobs: Omit<Logprob, 'top_logprobs'>[];
}

/** Entries in OpenAI's form, completed where an upstream leaves something out. */
export function readLogprobs(list: unknown): Logprob[] {
  return recordsOf(list).map((entry) => ({
    ...tokenOf(entry, entry.logprob),
    top_logprobs: recordsOf(entry.top_logprobs).map((one) => tokenOf(one, one.logprob)),
  }));
}

/** Google's form: the chosen tokens, and beside them the best ones of every step. */
export function readLogprobsResult(result: unknown): Logprob[] {
  if (!isJsonObject(result)) return [];
  const steps = recordsOf(result.topCandidates);
  return recordsOf(result.chosenCandidates).map((chosen, index) => ({
    ...tokenOf(chosen, chosen.logProbability),
    top_logprobs: recordsOf(steps[index]?.candidates).map((one) => tokenOf(one, one.logProbability)),
  }));
}

export function writeLogprobsResult(entries: readonly unknown[]): JsonObject {
  const read = readLogprobs(entries);
  const candidateOf = ({ token, logprob }: Pick<Logprob, 'token' | 'logprob'>) => ({ token, logProbability: logprob });
  return {
    chosenCandidates: read.map(candidateOf),
    topCandidates: read.map(({ top_logprobs: best }) => ({ candidates: best.map(candidateOf) })),
  };
}

function tokenOf({ token, bytes }: JsonObject, logprob: unknown): Omit<Logprob, 'top_logprobs'> {
  const text = textOf(token);
  return {
    token: text,
    logprob: typeof logprob === 'number' ? logprob : 0,
    bytes: Array.isArray(bytes) ? (bytes as number[]) : [...Buffer.from(text)],
  };
}
