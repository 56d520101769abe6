import type { BodyEdit } from '../canonical/body-edit.ts';
import type { ChannelTarget, UpstreamCall } from './adapter.ts';

/** Collects the changes of one body; a later change of a key replaces an earlier one. Nothing collected means untouched bytes. */
export class BodyEdits {
  readonly #call: UpstreamCall;
  readonly #edits = new Map<string, BodyEdit>();
  readonly #renamed = new Set<string>();

  constructor(call: UpstreamCall) {
    this.#call = call;
  }

  set(key: string, value: unknown): void {
    this.#edits.set(key, { set: key, raw: JSON.stringify(value) });
  }

  /** Only what the client sent needs dropping; what we have set ourselves is forgotten. */
  drop(key: string): void {
    if (this.#call.fields.has(key)) this.#edits.set(key, { drop: key });
    else this.#edits.delete(key);
  }

  /** The value under its new name, unless the client filled that one as well. */
  rename(from: string, to: string): void {
    const { fields } = this.#call;
    if (!fields.has(from)) return;
    const value = fields.value(from);
    if (value !== null && value !== undefined && !fields.has(to)) this.set(to, value);
    this.drop(from);
    this.#renamed.add(from);
  }

  /** What the client asked for and the upstream is not told under any name. */
  lost(): string[] {
    const lost: string[] = [];
    for (const [key, edit] of this.#edits) {
      if ('drop' in edit && !this.#renamed.has(key) && this.#call.fields.value(key) !== null) lost.push(key);
    }
    return lost;
  }

  list(): BodyEdit[] {
    return [...this.#edits.values()];
  }
}

/** The model the upstream knows, where it is another one than the client wrote. */
export function editModel(edits: BodyEdits, call: UpstreamCall, model: string): void {
  if (call.fields.value('model') !== model) edits.set('model', model);
}

const streaming: ReadonlySet<string> = new Set(['openai-chat', 'openai-completion']);

/**
 * Asks for usage at the end of a stream whatever the client asked: the chunk is hidden from a client that did not want it. Only
 * upstreams that are known to refuse the option, and plain calls, go without it.
 */
export function editStreamOptions(edits: BodyEdits, call: UpstreamCall, { setting }: ChannelTarget): void {
  const { request, fields, streamOptions = 'all' } = call;
  if (!streaming.has(call.protocol)) return;
  const isSent = setting.stream_options ?? streamOptions !== 'none';
  const asksUsage = request.wantsUsage || call.forceStreamOption !== false;
  const isReduced = streamOptions === 'usage';
  if (!isSent || !request.stream || (isReduced && !asksUsage)) edits.drop('stream_options');
  else if (asksUsage && (isReduced || !request.wantsUsage)) {
    const options = isReduced ? undefined : fields.value('stream_options');
    edits.set('stream_options', { ...(typeof options === 'object' ? options : {}), include_usage: true });
  }
}
