import { countChatRequest } from '../../billing/count-chat-request.ts';
import { countPrompt, type PromptKind } from '../../billing/count-prompt.ts';
import type { TokenCounter } from '../../billing/count-tokens.ts';
import type { PriceExtras } from '../../billing/price.ts';
import type { ProtocolName } from '../../canonical/request.ts';
import { emptyUsage, type Usage, type UsageSource } from '../../canonical/usage.ts';
import type { DeliveryEnd } from '../deliver/delivery.ts';
import { readChat } from '../request/conversion.ts';
import type { Run, ServedResponse } from '../run.ts';
import { measuredUsage, type PromptMeasure, respondsInText } from './estimate.ts';
import type { UsageMeter } from './usage-meter.ts';

export interface FinalUsage {
  usage: Usage;
  usageSource: UsageSource;
  extras: PriceExtras;
  flags: string[];
}

interface Heard {
  measure: PromptMeasure;
  usageSource: UsageSource;
}

const promptKinds: Partial<Record<ProtocolName, PromptKind>> = {
  'openai-chat': 'chat',
  'openai-completion': 'completion',
  'openai-embedding': 'embedding',
  'gemini-embedding': 'geminiEmbedding',
  'openai-moderation': 'moderation',
  rerank: 'rerank',
  'cohere-rerank': 'rerank',
};

/**
 * What to bill (M7): the upstream's usage when it is sane; characters, minutes and pictures by their own measure; else
 * a count of what was delivered. A response of which the client got nothing costs nothing. A promise only where it must count.
 */
export function finalUsage(
  run: Run,
  { end, meter }: ServedResponse,
  counter: TokenCounter,
): FinalUsage | Promise<FinalUsage> {
  // A ping may have opened the client's stream; nothing of a response is in it.
  if (end.kind !== 'complete' && !meter.delivered)
    return { usage: emptyUsage, usageSource: 'measured', extras: { ...run.extras, calls: 0 }, flags: [] };
  if (!meter.usage || meter.usage.heardSeconds !== undefined) {
    const { measure, usageSource } = heardLength(run.body.measure, meter.usage);
    const usage = measuredUsage(run.request, measure, run.priced.rates);
    if (usage) return { usage, usageSource, extras: run.extras, flags: [] };
    if (run.request.units.images) {
      return { usage: emptyUsage, usageSource: 'measured', extras: pictureExtras(run, meter, end.kind), flags: [] };
    }
  }
  if (run.request.units.documents !== undefined) return rerankUsage(run, meter, counter);
  const extras = reportedExtras(run, meter, end.kind);
  const reported = meter.reportedResult(run.promptEstimate);
  if (reported && end.kind === 'complete' && !(meter.isPartlyReported && respondsInText(run.call.protocol)))
    return { usage: reported.usage, usageSource: 'upstream', extras, flags: reported.flags };
  return meter
    .completed(end.kind === 'complete', run.promptEstimate, () => countOwnPrompt(run, counter))
    .then((result) => ({ ...result, extras }));
}

/** No sound has ten times fewer bits a second than the guess from the size assumes. */
const maxGuesses = 10;

/** The upstream's length of the sound counts where ours is a guess, unless it cannot be right. */
function heardLength(measure: PromptMeasure, usage: Usage | undefined): Heard {
  const { audioSeconds: guessed = 0, isLengthGuessed } = measure;
  const told = usage?.heardSeconds;
  if (told === undefined || !isLengthGuessed || told > guessed * maxGuesses) {
    return { measure, usageSource: 'measured' };
  }
  return { measure: { ...measure, audioSeconds: told }, usageSource: 'upstream' };
}

/** By tokens, or at a fixed price by searches: as many as the upstream says, and one where it sells none. */
function rerankUsage(run: Run, meter: UsageMeter, counter: TokenCounter): FinalUsage | Promise<FinalUsage> {
  const { searches, ...tokens } = meter.usage ?? { ...emptyUsage, searches: undefined };
  const extras = { calls: searches ?? 1 };
  if (run.priced.rates.kind === 'price') {
    const flags = extras.calls > 10 * (run.extras.calls ?? 1) ? ['usage_far_above_estimate'] : [];
    return { usage: tokens, usageSource: meter.usage ? 'upstream' : 'measured', extras, flags };
  }
  const reported = tokens.prompt > 0 ? meter.reportedResult(run.promptEstimate) : undefined;
  if (reported) return { usage: tokens, usageSource: 'upstream', extras: {}, flags: reported.flags };
  return meter.counted(() => countOwnPrompt(run, counter)).then((counted) => ({ ...counted, extras: {} }));
}

/** A model that draws for tokens is paid by its tokens, once it reports them; a fixed price stays one. */
function reportedExtras(run: Run, meter: UsageMeter, end: DeliveryEnd['kind']): PriceExtras {
  return meter.usage && run.priced.rates.kind === 'ratio' ? {} : pictureExtras(run, meter, end);
}

/**
 * Some vendors draw fewer pictures than they were asked for, or break off: those that came are paid, and never more than were held for.
 * A client that leaves has bought all of them: what it was shown of one may be all that it wanted.
 */
function pictureExtras({ extras, request }: Run, { pictures }: UsageMeter, end: DeliveryEnd['kind']): PriceExtras {
  const asked = request.units.images?.count;
  if (asked === undefined || (end !== 'complete' && end !== 'broken')) return extras;
  // In what nothing could be counted: of a document that broke off the last picture at least is not whole.
  const came = pictures ?? (end === 'broken' ? asked - 1 : asked);
  return { ...extras, calls: Math.min(asked, came) };
}

/** The prompt as the client sent it. */
export async function countOwnPrompt(run: Run, counter: TokenCounter): Promise<number> {
  const { call, body, request, promptEstimate } = run;
  if (call.protocol.chat && call.protocol.name !== 'openai-chat') {
    // A body that passed as it was may hold what only its vendor understands: its size still tells.
    const chat = await readChat(run).catch(() => undefined);
    return chat ? countChatRequest(chat, counter, request.model) : promptEstimate;
  }
  const kind = promptKinds[call.protocol.name];
  const json = kind && (await body.json());
  return kind && json ? countPrompt(json, kind, counter, request.model) : promptEstimate;
}
