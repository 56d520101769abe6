import type { CatalogEntry } from './entry.ts';

export const bodyErrors = {
  'body.empty': { status: 400, wire: 'invalid_request' },
  'body.notJson': { status: 400, wire: 'invalid_request' },
  'body.channel': { status: 400, wire: 'invalid_request' },
  'body.invalid': { status: 400, wire: 'invalid_request' },
  'body.duplicateKey': { status: 400, wire: 'invalid_request' },
  'body.forbiddenKey': { status: 400, wire: 'invalid_request' },
  'body.tooDeep': { status: 400, wire: 'invalid_request' },
  'body.tooMany': { status: 400, wire: 'invalid_request' },
  'body.valueTooLarge': { status: 400, wire: 'invalid_request' },
  'body.tooLarge': { status: 413, wire: 'request_too_large' },
  'body.ratio': { status: 413, wire: 'request_too_large' },
  'body.contentType': { status: 415, wire: 'unsupported_media_type' },
  'body.encoding': { status: 415, wire: 'unsupported_media_type' },
  'body.decode': { status: 400, wire: 'invalid_request' },
  'body.incomplete': { status: 400, wire: 'invalid_request' },
  'body.timeout': { status: 408, wire: 'request_timeout' },
  'body.spoolFailed': { status: 503, wire: 'temporarily_unavailable' },
  'body.multipart': { status: 400, wire: 'invalid_request' },
} as const satisfies Record<string, CatalogEntry>;
