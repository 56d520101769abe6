import { AppError } from '../../errors/app-error.ts';
import { recordsOf, textOf } from '../../lib/json-value.ts';
import { betaField } from '../../wire/anthropic-messages/protocol-name.ts';
import { readThinkingSuffix } from '../../wire/anthropic-messages/thinking-suffix.ts';
import type { ChannelTarget, UpstreamCall } from '../adapter.ts';
import type { BodyEdits } from '../body-edit.ts';
import { defaultModelSettings } from '../model-setting.ts';
import { editThinking } from './edit-thinking.ts';
import { callHeaders } from './header.ts';
import { writingOf } from './index.ts';

/** How a cloud that serves Claude differs from Anthropic itself. */
export interface CloudRules {
  /** `anthropic_version` of the body, in place of the header. */
  version: string;
  /** Fields that only Anthropic's own service takes. */
  dropped: readonly string[];
  /** Values of `anthropic_beta` that the cloud knows; any other gets a 400. */
  betas: readonly string[];
}

/** Of both clouds; a channel whose account has more, or less, names its own in the setting `anthropic_betas`. */
export const cloudBetas: readonly string[] = [
  'computer-use-2024-10-22',
  'computer-use-2025-01-24',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'effort-2025-11-24',
  'fine-grained-tool-streaming-2025-05-14',
  'interleaved-thinking-2025-05-14',
  'output-128k-2025-02-19',
  'token-efficient-tools-2025-02-19',
  'tool-examples-2025-10-29',
  'tool-search-tool-2025-10-19',
];

/** The model's name without our own suffix. */
export function plainClaude({ model, settings = defaultModelSettings }: UpstreamCall): string {
  return readThinkingSuffix(model, 0, writingOf(model, settings).thinkingShare)?.model ?? model;
}

/** The model is in the address, and what Anthropic reads from headers is in the body. */
export function editCloudBody(
  edits: BodyEdits,
  call: UpstreamCall,
  { setting }: Pick<ChannelTarget, 'setting'>,
  { version, dropped, betas }: CloudRules,
): void {
  // A converted body has been written for the model already, its suffix included; counting is the same with and without it.
  if (!call.convertedFrom && !isCounting(call)) {
    const { defaultMaxOutput, thinkingShare: share } = writingOf(call.model, call.settings ?? defaultModelSettings);
    editThinking(edits, call, { defaultMaxOutput, share });
  }
  edits.drop('model');
  for (const field of dropped) edits.drop(field);
  edits.set('anthropic_version', version);
  const known = Array.isArray(setting.anthropic_betas) ? setting.anthropic_betas : betas;
  const wanted = askedBetas(call).filter((name) => known.includes(name));
  if (wanted.length > 0) edits.set('anthropic_beta', wanted);
  else edits.drop('anthropic_beta');
}

export function isCounting({ path }: UpstreamCall): boolean {
  return path.endsWith('/count_tokens');
}

/** Nothing is fetched to be counted, and a cloud takes no addresses: the caller counts without it. */
export function refuseAddresses({ body, path }: UpstreamCall, provider: string): void {
  const isNamed = recordsOf(body?.messages).some((message) => JSON.stringify(message).includes('"type":"url"'));
  if (isNamed) throw new AppError('provider.notOffered', { provider, path });
}

/** From headers, the operator's included, and from the body of a client that was made for a cloud. */
function askedBetas(call: UpstreamCall): string[] {
  const { [betaField]: header = '' } = callHeaders(call, call.settings ?? defaultModelSettings);
  const inBody = call.fields.value('anthropic_beta');
  const listed = Array.isArray(inBody) ? inBody.map(textOf) : [];
  return [...new Set([...header.split(','), ...listed])].filter(Boolean);
}
