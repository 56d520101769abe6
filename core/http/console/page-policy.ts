import type { OptionService } from '../../services/option/option.ts';

type Options = Pick<OptionService, 'get'>;

/**
 * What a page of the dashboard may load and run (S15). The human check and the Telegram sign-in bring one script each;
 * everything else is ours.
 */
export function pagePolicy(nonce: string, { get }: Options): string {
  const scripts = [
    ...(get('TurnstileCheckEnabled') ? ['https://challenges.cloudflare.com'] : []),
    ...(get('TelegramOAuthEnabled') ? ['https://telegram.org'] : []),
  ];
  const pay = get('PayAddress');
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' ${scripts.join(' ')}`.trim(),
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: https:",
    'frame-src https:',
    `form-action 'self' ${URL.canParse(pay) ? new URL(pay).origin : ''}`.trim(),
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The Telegram sign-in speaks with the window it opens; every other page is alone with itself. */
export function openerPolicy({ get }: Options): string {
  return get('TelegramOAuthEnabled') ? 'same-origin-allow-popups' : 'same-origin';
}
