export const protocolName = 'anthropic-messages';

/** Where a request keeps the client's `anthropic-beta` header among its extras: a comma list. */
export const betaField = 'anthropic-beta';
