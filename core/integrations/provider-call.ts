import { z } from 'zod';
import { AppError } from '../errors/app-error.ts';
import { maskText } from '../errors/mask-text.ts';
import type { FetchOptions, Outbound } from './outbound/outbound.ts';

export interface ProviderCallInput<S extends z.ZodType> {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  /** Sent as a form. */
  form?: Record<string, string>;
  json?: Record<string, string>;
  response: S;
}

/** One call after the other; all of them together end after five seconds. */
export type ProviderCall = <S extends z.ZodType>(address: string, input: ProviderCallInput<S>) => Promise<z.output<S>>;

export interface ProviderCallDependencies {
  outbound: Pick<Outbound, 'fetchJson'>;
  /** As people call it. */
  provider: string;
  /** operator for the fixed homes of public services, operatorPrivate for an address root saved. */
  profile: Extract<FetchOptions['profile'], 'operator' | 'operatorPrivate'>;
}

const limitMs = 5000;
const maxBytes = 256 * 1024;

export function openProviderCall({ outbound, provider, profile }: ProviderCallDependencies): ProviderCall {
  const endsAt = performance.now() + limitMs;
  return async (address, { method = 'GET', headers = {}, form, json, response: schema }) => {
    const body = form ? new URLSearchParams(form).toString() : json ? JSON.stringify(json) : null;
    const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
    const response = await outbound.fetchJson(address, {
      method,
      // GitHub refuses callers without a name.
      headers: { 'user-agent': 'tollgate', ...(body !== null && { 'content-type': type }), ...headers },
      body,
      profile,
      timeoutMs: Math.max(1, Math.ceil(endsAt - performance.now())),
      maxBytes: maxBytes,
    });
    const parsed = schema.safeParse(response.body);
    if (response.status >= 200 && response.status < 300 && parsed.success) return parsed.data;
    throw refusal(provider, `HTTP ${response.status}: ${reasonIn(response.body)}`);
  };
}

/** The reason is for the log: a provider's response is not shown to the user who tries to sign in. */
export function refusal(provider: string, reason: string): AppError {
  return new AppError('outside.refused', { provider }, { cause: new Error(maskText(reason)) });
}

const errorSchema = z.object({
  error: z.string().optional().catch(undefined),
  error_description: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
});

function reasonIn(body: unknown): string {
  const { error, error_description, message } = errorSchema.safeParse(body).data ?? {};
  return [error, error_description, message].filter(Boolean).join(', ').slice(0, 300) || 'not the response expected';
}
