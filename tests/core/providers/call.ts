import type { ProtocolName } from '../../../core/canonical/request.ts';
import type { ChannelTarget, ProviderAdapter, UpstreamCall } from '../../../core/providers/adapter.ts';
import { adapterFor } from '../../../core/providers/registry.ts';
import { protocols } from '../../../core/wire/registry.ts';
import { fieldsOf } from '../wire/fields.ts';

export const hello = [{ role: 'user', content: 'hi' }];

export function channelOf(type: number, changes: Partial<ChannelTarget> = {}): ChannelTarget {
  return { id: 1, type, key: 'k1', base_url: '', other: '', openai_organization: '', setting: {}, ...changes };
}

export function adapterOf(type: number): ProviderAdapter {
  const adapter = adapterFor(type);
  if (!adapter) throw new Error(`no adapter for type ${type}`);
  return adapter;
}

export interface CallOptions
  extends Partial<
    Pick<
      UpstreamCall,
      'forceStreamOption' | 'streamOptions' | 'now' | 'path' | 'headers' | 'convertedFrom' | 'settings'
    >
  > {
  protocol?: ProtocolName;
  /** The name after model mapping. */
  model?: string;
  query?: string;
  channel?: Partial<ChannelTarget>;
  /** The name a path bears, and whether the path asks for a stream (Gemini). */
  fromPath?: { model: string; stream?: boolean };
  /** A body too large to be parsed as a whole. */
  isUnparsed?: boolean;
}

/** What would go upstream for a body: the URL, the headers and the body with its edits applied. */
export function send(type: number, body: Record<string, unknown>, options: CallOptions = {}) {
  const { protocol: name = 'openai-chat', query = '', channel, isUnparsed, fromPath, ...rest } = options;
  const fields = fieldsOf(body);
  const parsed = protocols[name].parse(fields, fromPath?.model);
  const request = fromPath?.stream ? { ...parsed, stream: true } : parsed;
  const call: UpstreamCall = {
    protocol: name,
    path: protocols[name].path,
    query: new URLSearchParams(query),
    model: request.model,
    request,
    fields,
    body: isUnparsed ? undefined : body,
    ...rest,
  };
  const built = adapterOf(type).buildRequest(call, channelOf(type, channel));
  const { url, headers, edits, losses, readResponse } = built;
  const sent = { ...(built.body ?? body) };
  for (const edit of edits) {
    if ('drop' in edit) delete sent[edit.drop];
    else sent[edit.set] = JSON.parse(edit.raw);
  }
  return { url, headers, edits, losses, body: sent, readResponse };
}
