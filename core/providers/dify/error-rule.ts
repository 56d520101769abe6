import type { ErrorRule } from '../../errors/classify-upstream.ts';

/** Dify sheet, errors. What is wrong with the app itself concerns every call of the channel. */
export const difyErrors: readonly ErrorRule[] = [
  { codes: ['provider_quota_exceeded', 'rate_limit_error'], kind: 'balance' },
  {
    codes: ['provider_not_initialize', 'model_currently_not_support', 'app_unavailable', 'not_chat_app'],
    kind: 'dead',
  },
  { codes: ['agent_not_published', 'workflow_version_execution_not_allowed'], kind: 'dead' },
  { status: [403], kind: 'dead' },
  { codes: ['completion_request_error', 'workflow_failed'], kind: 'retry' },
  { codes: ['invalid_param', 'bad_request', 'not_found', 'conversation_completed'], kind: 'client' },
];
