import type { ChannelTarget, UpstreamCall } from '../adapter.ts';
import { entryFor, type ModelSettings } from '../model-setting.ts';

/** What conversions are written for; from 2026-10-21 on, sampling is refused whatever the model (Anthropic sheet, section 1). */
const defaultVersion = '2023-06-01';

/** Betas without which a field is refused. */
const betaOfField: Record<string, string> = {
  context_management: 'context-management-2025-06-27',
  mcp_servers: 'mcp-client-2025-11-20',
  speed: 'fast-mode-2026-02-01',
};

/** OAuth tokens are not API keys and go as Bearer. */
export function keyHeaders({ key }: Pick<ChannelTarget, 'key'>): Record<string, string> {
  const own: Record<string, string> = key.startsWith('sk-ant-oat')
    ? { authorization: `Bearer ${key}` }
    : { 'x-api-key': key };
  return { ...own, 'anthropic-version': defaultVersion };
}

/** Version and betas of a call: the client's own where it speaks this protocol, and what the operator set for the model. */
export function callHeaders(call: UpstreamCall, settings: ModelSettings): Record<string, string> {
  const isNative = (call.convertedFrom ?? call.protocol) === call.protocol;
  const { 'anthropic-version': version = '', 'anthropic-beta': betas = '' } = isNative ? (call.headers ?? {}) : {};
  const set = operatorHeaders(call, settings);
  const names = new Set([...listed(betas), ...listed(set['anthropic-beta'] ?? ''), ...neededBetas(call)]);
  return {
    ...set,
    ...(isHeaderText(version) && { 'anthropic-version': version }),
    ...(names.size > 0 && { 'anthropic-beta': [...names].join(',') }),
  };
}

function neededBetas({ fields }: UpstreamCall): string[] {
  return Object.entries(betaOfField).flatMap(([field, beta]) => {
    const isAsked = field === 'speed' ? fields.value(field) === 'fast' : fields.has(field);
    return isAsked ? [beta] : [];
  });
}

/** Who we are and how the body is framed is not the operator's to say. */
const ownHeaders: ReadonlySet<string> = new Set(
  'authorization x-api-key host connection content-length content-type transfer-encoding'.split(' '),
);

function operatorHeaders({ request, model }: UpstreamCall, settings: ModelSettings): Record<string, string> {
  const byModel = settings['claude.model_headers_settings'];
  const chosen = entryFor(byModel, request.model) ?? entryFor(byModel, model) ?? {};
  return Object.fromEntries(
    Object.entries(chosen)
      .map(([name, values]) => [name.toLowerCase(), values.join(',')] as const)
      .filter(([name, value]) => value !== '' && !ownHeaders.has(name)),
  );
}

function listed(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter(isHeaderText);
}

/** Whatever a client puts there may not break the header apart. */
function isHeaderText(text: string): boolean {
  return /^[\w.:-]{1,100}$/.test(text);
}
