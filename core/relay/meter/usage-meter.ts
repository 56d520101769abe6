import { estimateTokens, type TokenCounter } from '../../billing/count-tokens.ts';
import { emptyUsage, type Usage, type UsageSource } from '../../canonical/usage.ts';
import type { StreamIdentity } from '../../wire/openai-chat/usage-chunk.ts';
import type { EventReading } from '../../wire/protocol.ts';

export interface MeterResult {
  usage: Usage;
  usageSource: UsageSource;
  /** Reasons why someone should look at this bill: `usage_far_above_estimate`, `usage_below_text`, `completion_estimated`. */
  flags: string[];
}

/** Text beyond this is counted as it comes, so that a stream's memory stays bounded however long it runs. */
const pieceBytes = 64 * 1024;

/**
 * Watches the events of one response go by. An upstream's own usage counts when it is sane (the last one wins); without it the
 * text that was delivered is counted. Holds at most one piece of text.
 */
export class UsageMeter {
  private readonly model: string;
  readonly counter: TokenCounter;
  private readonly isFake: boolean;
  private pieces: string[] = [];
  private pieceLength = 0;
  private pieceCounts: Promise<number>[] = [];
  private promptCount: Promise<number> | undefined;
  private textBytes = 0;
  private passedBytes = 0;
  private events = 0;
  private reported: Usage | undefined;
  private isInterim = false;
  firstTokenAt: number | undefined;
  /** As `delivered`, of a stream: monotonic milliseconds of the first such event. */
  contentAt: number | undefined;
  /** Something of the response itself came that is for the client: text, a tool call, sound, a picture. */
  delivered = false;
  /** What the upstream calls its response, where the protocol has a use for it. */
  responseId: string | undefined;
  /** As the upstream names its model. */
  responseModel: string | undefined;
  /** Why each choice ended: neutral reasons, separated by commas. */
  finishReasons = '';
  /** Items of a response that the upstream keeps, by their own names. */
  itemIds: readonly string[] = [];
  /** Pictures that came whole, where they could be counted. */
  pictures: number | undefined;
  /** Id, model and time that all chunks of the stream share. */
  identity: StreamIdentity | undefined;

  /** `isFake`: the vendor invents its usage, so what it reports is not listened to. */
  constructor(model: string, counter: TokenCounter, isFake = false) {
    this.model = model;
    this.counter = counter;
    this.isFake = isFake;
  }

  /** True when the event takes the response on: with content, or with usage other than the last. */
  note(reading: EventReading, now: number): boolean {
    this.noteResponseId(reading.responseId);
    this.responseModel ??= reading.model;
    if (reading.finishReason !== undefined) this.noteFinish(reading.finishReason);
    if (reading.itemIds) this.itemIds = reading.itemIds;
    const before = this.reported;
    this.noteUsage(reading.usage, reading.isInterim);
    if (reading.text !== '') this.noteText(reading.text, now);
    else if (hasOtherContent(reading)) this.noteContent(now);
    else return this.reported !== before && !(before && this.reported && isSame(before, this.reported));
    return true;
  }

  noteResponseId(id: unknown): void {
    if (typeof id === 'string' && id !== '') this.responseId ??= id;
  }

  noteFinish(reason: string): void {
    this.finishReasons += this.finishReasons === '' ? reason : `,${reason}`;
  }

  /** Text of one event, latin1-decoded UTF-8 as the event splitter hands it out. */
  noteText(text: string, now: number): void {
    this.firstTokenAt ??= now;
    this.noteContent(now);
    this.events += 1;
    this.pieces.push(text);
    this.pieceLength += text.length;
    this.textBytes += text.length;
    if (this.pieceLength >= pieceBytes) this.countPiece();
  }

  identify(event: unknown): void {
    const { id, model, created, system_fingerprint } = (event ?? {}) as Partial<StreamIdentity>;
    if (typeof id !== 'string' || id === '' || typeof model !== 'string') return;
    this.responseModel ??= model;
    this.identity = { id, model, created: Number(created) || 0, system_fingerprint: system_fingerprint ?? null };
  }

  private noteContent(now: number): void {
    this.contentAt ??= now;
    this.delivered = true;
  }

  /** Text of a plain response. */
  noteWhole(text: string): void {
    this.pieces.push(Buffer.from(text).toString('latin1'));
    this.pieceLength += this.pieces.at(-1)?.length ?? 0;
    this.textBytes += this.pieces.at(-1)?.length ?? 0;
  }

  /** What the client has in the end, where that is not what went by here: it is counted instead. */
  recount(text: string): void {
    this.pieces = [];
    this.pieceCounts = [];
    this.pieceLength = 0;
    this.textBytes = 0;
    this.noteWhole(text);
    this.delivered ||= text !== '';
  }

  /** As `recount`, where what the upstream reports tells of something else. */
  countInstead(text: string): void {
    this.reported = undefined;
    this.recount(text);
  }

  /** Bytes of a plain response too long to be kept: only their number is known when it comes to the bill. */
  notePassed(bytes: number): void {
    this.passedBytes += bytes;
  }

  noteUsage(usage: Usage | undefined, isInterim = false): void {
    if (!usage || this.isFake) return;
    this.reported = usage;
    this.isInterim = isInterim;
  }

  get usage(): Usage | undefined {
    return this.reported;
  }

  /** Of a call in words: its prompt or its response has no count, or not its last one. */
  get isPartlyReported(): boolean {
    return (
      this.reported !== undefined && (this.isInterim || this.reported.prompt === 0 || this.reported.completion === 0)
    );
  }

  /** Completion tokens so far, cheap and rather high: at least one per event with text. */
  get runningCompletion(): number {
    return Math.max(this.reported?.completion ?? 0, this.events, Math.ceil(this.textBytes / 3));
  }

  /**
   * The upstream's own counts, undefined when it reported none. Far above the estimate they are charged, because hidden reasoning
   * is real, but flagged.
   */
  reportedResult(promptEstimate: number): MeterResult | undefined {
    if (!this.reported) return undefined;
    const { prompt, completion } = this.reported;
    const flags: string[] = [];
    if (prompt + completion > 10 * (promptEstimate + this.textBytes / 3) + 50_000)
      flags.push('usage_far_above_estimate');
    // A token is rarely longer than 12 bytes: fewer tokens than that means that the upstream under-reports.
    if (completion < this.textBytes / 24) flags.push('usage_below_text');
    return { usage: this.reported, usageSource: 'upstream', flags };
  }

  /** What was delivered, counted by ourselves; the prompt once, however often it is asked for. */
  async counted(countPrompt: () => Promise<number>): Promise<MeterResult> {
    this.countPiece();
    this.promptCount ??= countPrompt();
    const [prompt, ...counts] = await Promise.all([this.promptCount, ...this.pieceCounts]);
    const completion = counts.reduce((sum, count) => sum + count, estimateTokens(this.passedBytes));
    return {
      usage: { ...emptyUsage, prompt, completion },
      usageSource: 'counted',
      flags: this.passedBytes > 0 ? ['completion_estimated'] : [],
    };
  }

  /**
   * What the upstream reported, and our own count of what that leaves out: the prompt where it has none, and the response where it
   * has none or, unless `isWhole`, where more was delivered than it knew of at the time.
   */
  async completed(isWhole: boolean, promptEstimate: number, countPrompt: () => Promise<number>): Promise<MeterResult> {
    const reported = this.reportedResult(promptEstimate);
    if (!reported) return this.counted(countPrompt);
    const { prompt, completion } = reported.usage;
    const counted = await this.counted(prompt > 0 ? async () => prompt : countPrompt);
    const isLast = isWhole && completion > 0 && !this.isInterim;
    const delivered = isLast ? completion : Math.max(completion, counted.usage.completion);
    if (prompt > 0 && delivered === completion) return reported;
    return { ...counted, usage: { ...reported.usage, prompt: counted.usage.prompt, completion: delivered } };
  }

  private countPiece(): void {
    if (this.pieceLength === 0) return;
    const text = Buffer.from(this.pieces.join(''), 'latin1').toString('utf8');
    this.pieces = [];
    this.pieceLength = 0;
    this.pieceCounts.push(this.counter.count([text], this.model));
  }
}

/** An event that says something, without text, and is neither the end nor the count: a tool is called, sound or a picture comes. */
function hasOtherContent({ saysNothing, finished, ended, usage, usageOnly, error }: EventReading): boolean {
  return !(saysNothing || finished || ended || usage || usageOnly || error);
}

function isSame(one: Usage, other: Usage): boolean {
  return one.prompt === other.prompt && one.completion === other.completion;
}
