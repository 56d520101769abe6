import type { CatalogEntry } from './entry.ts';

/** Sessions over a WebSocket. */
export const realtimeErrors = {
  'realtime.upgradeNeeded': { status: 426, wire: 'upgrade_required' },
  'realtime.badHandshake': { status: 400, wire: 'invalid_request' },
  'realtime.badEvent': { status: 400, wire: 'invalid_event' },
  'realtime.modelFixed': { status: 400, wire: 'model_cannot_change' },
  'realtime.tooManyMessages': { status: 429, wire: 'rate_limit_exceeded' },
  'realtime.tooManyRefusals': { status: 429, wire: 'rate_limit_exceeded' },
  'realtime.tooManyAnswers': { status: 408, wire: 'session_expired' },
  'realtime.quotaUsedUp': { status: 403, wire: 'insufficient_user_quota' },
  'realtime.idle': { status: 408, wire: 'session_idle' },
  'realtime.tooLong': { status: 408, wire: 'session_expired' },
  'realtime.secretUnknown': { status: 401, wire: 'invalid_api_key' },
  'realtime.secretElsewhere': { status: 401, wire: 'invalid_api_key' },
  'realtime.secretModel': { status: 400, wire: 'model_cannot_change' },
  'realtime.gaSecret': { status: 400, wire: 'api_version_mismatch' },
  'realtime.betaSecret': { status: 400, wire: 'api_version_mismatch' },
  'realtime.tooManySecrets': { status: 429, wire: 'rate_limit_exceeded' },
  'realtime.callsNotOffered': { status: 501, wire: 'webrtc_not_supported' },
} as const satisfies Record<string, CatalogEntry>;
