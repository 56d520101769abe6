import { estimateTokens, type TokenCounter } from '../../billing/count-tokens.ts';
import { emptyUsage, type Usage } from '../../canonical/usage.ts';
import {
  type AudioFormat,
  inputTokensPerSecond,
  outputTokensPerSecond,
  pcm16,
  secondsOfBase64,
} from '../../wire/realtime/audio-format.ts';
import type { SessionFacts } from '../../wire/realtime/session-facts.ts';
import { type MeterResult, UsageMeter } from '../meter/usage-meter.ts';

/** A response that is being given. */
class RunningResponse {
  readonly startedAt: number;
  readonly text: UsageMeter;
  audioSeconds = 0;
  firstTokenAt: number | undefined;

  constructor(startedAt: number, text: UsageMeter) {
    this.startedAt = startedAt;
    this.text = text;
  }

  get audioTokens(): number {
    return Math.ceil(this.audioSeconds * outputTokensPerSecond);
  }
}

export interface FinishedResponse extends MeterResult {
  startedAt: number;
  firstTokenAt: number | undefined;
}

/**
 * What goes through a session, in tokens: what the model has been told since its last response, and what it says now. The upstream's
 * own counts take its place with each `response.done`; without them this is what is billed (M7).
 */
export class SessionMeter {
  readonly #model: string;
  readonly #counter: TokenCounter;
  readonly #running = new Map<string, RunningResponse>();
  #inputFormat: AudioFormat = pcm16;
  #outputFormat: AudioFormat = pcm16;
  #instructionTokens = 0;
  /** Told since the last response. */
  #newText = 0;
  #newAudioSeconds = 0;
  /** All that was said before, as the last response's usage told it. */
  #context = 0;
  /** Heard since the last time speech was written down. */
  #unwrittenSeconds = 0;
  /** The responses that ended: one that ends again is not paid again. A session ends before there are too many. */
  readonly #finished = new Set<string>();

  constructor(model: string, counter: TokenCounter) {
    this.#model = model;
    this.#counter = counter;
  }

  get isResponding(): boolean {
    return this.#running.size > 0;
  }

  /** Number of responses that have ended. */
  get finished(): number {
    return this.#finished.size;
  }

  get responses(): string[] {
    return [...this.#running.keys()];
  }

  noteFacts({ inputFormat, outputFormat, instructions }: SessionFacts): void {
    this.#inputFormat = inputFormat ?? this.#inputFormat;
    this.#outputFormat = outputFormat ?? this.#outputFormat;
    if (instructions !== undefined) this.#instructionTokens = estimateTokens(Buffer.byteLength(instructions));
  }

  noteHeard(base64Length: number): void {
    const seconds = secondsOfBase64(base64Length, this.#inputFormat);
    this.#newAudioSeconds += seconds;
    this.#unwrittenSeconds += seconds;
  }

  noteTold(textBytes: number): void {
    this.#newText += estimateTokens(textBytes);
  }

  start(response: string, now: number): void {
    if (this.#running.has(response)) return;
    this.#running.set(response, new RunningResponse(now, new UsageMeter(this.#model, this.#counter)));
  }

  noteText(response: string, text: string, now: number): void {
    const running = this.#response(response, now);
    running.firstTokenAt ??= now;
    // The meter takes the bytes of a stream.
    running.text.noteText(Buffer.from(text).toString('latin1'), now);
  }

  noteSpoken(response: string, base64Length: number, now: number): void {
    const running = this.#response(response, now);
    running.firstTokenAt ??= now;
    running.audioSeconds += secondsOfBase64(base64Length, this.#outputFormat);
  }

  /** What the responses under way come to so far, rather high: for the hold, never for a bill. */
  runningUsage(): Usage {
    let { prompt, audioInput, cachedRead } = this.#told();
    let completion = 0;
    let audioOutput = 0;
    const count = this.#running.size;
    for (const running of this.#running.values()) {
      completion += running.text.runningCompletion + running.audioTokens;
      audioOutput += running.audioTokens;
    }
    prompt *= count;
    audioInput *= count;
    cachedRead *= count;
    return { ...emptyUsage, prompt, completion, cachedRead, audioInput, audioOutput };
  }

  /**
   * The end of a response: the upstream's own counts, else a count of what was delivered, else undefined, because the client got
   * nothing.
   */
  async finish(response: string, reported: Usage | undefined, now: number): Promise<FinishedResponse | undefined> {
    if (this.#finished.has(response)) return undefined;
    // Without a name it cannot be distinguished from the next.
    if (response !== '') this.#finished.add(response);
    const running = this.#running.get(response);
    this.#running.delete(response);
    const { startedAt = now, firstTokenAt } = running ?? {};
    const told = this.#told();
    if (reported) {
      this.#remember(reported);
      running?.text.noteUsage(reported);
      const flags = running?.text.reportedResult(told.prompt + running.audioTokens)?.flags ?? [];
      return { usage: reported, usageSource: 'upstream', flags, startedAt, firstTokenAt };
    }
    if (!running || firstTokenAt === undefined) return undefined;
    const { usage } = await running.text.counted(async () => told.prompt);
    const completion = usage.completion + running.audioTokens;
    const counted: Usage = { ...told, completion, audioOutput: running.audioTokens };
    this.#remember(counted);
    return { usage: counted, usageSource: 'counted', flags: [], startedAt, firstTokenAt };
  }

  /** Seconds of speech since it was last written down; asked once for each piece. */
  takeUnwrittenSeconds(): number {
    const seconds = this.#unwrittenSeconds;
    this.#unwrittenSeconds = 0;
    return seconds;
  }

  /** Asked for a response it was not told the beginning of, as some upstreams of this kind do not say it. */
  #response(id: string, now: number): RunningResponse {
    this.start(id, now);
    return this.#running.get(id) ?? new RunningResponse(now, new UsageMeter(this.#model, this.#counter));
  }

  /** What the model reads for one response. Everything before the last one is taken for cached. */
  #told(): Usage {
    const audioInput = Math.ceil(this.#newAudioSeconds * inputTokensPerSecond);
    const fresh = this.#newText + (this.#context === 0 ? this.#instructionTokens : 0);
    return { ...emptyUsage, prompt: this.#context + fresh + audioInput, audioInput, cachedRead: this.#context };
  }

  #remember({ prompt, completion }: Usage): void {
    this.#context = prompt + completion;
    this.#newText = 0;
    this.#newAudioSeconds = 0;
  }
}
