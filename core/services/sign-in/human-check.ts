import { timingSafeEqual } from 'node:crypto';
import { AppError } from '../../errors/app-error.ts';
import type { Turnstile } from '../../integrations/turnstile/turnstile.ts';
import { networkOf } from '../../lib/address-network.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { OptionService } from '../option/option.ts';

export interface HumanCheckCall {
  /** What the widget on the page gave, '' when it gave nothing. */
  token: string;
  address: string;
  /** The pass an earlier check ended with, as the browser sends it back. */
  pass: string | undefined;
}

export interface HumanCheckResult {
  /** off: no check. remembered: by the pass. fresh: a token that was checked right now. */
  proof: 'off' | 'remembered' | 'fresh';
  /** To be sent back with later calls. */
  pass?: string;
}

export interface HumanCheck {
  /** Throws `human.failed` when TurnstileCheckEnabled asks for a person and there is no proof of one. */
  require(call: HumanCheckCall): Promise<HumanCheckResult>;
}

export interface HumanCheckDependencies {
  options: Pick<OptionService, 'get'>;
  secretBox: Pick<SecretBox, 'lookupHash' | 'lookupHashes'>;
  turnstile: Turnstile;
  now?: Clock;
}

/** A person asks for a code, waits for the mail and registers with one and the same token of the widget. */
const passSeconds = 30 * 60;

export function createHumanCheck(dependencies: HumanCheckDependencies): HumanCheck {
  const { options, secretBox, turnstile, now = nowSeconds } = dependencies;
  // For one network only, so that one person's pass does not serve a herd of machines.
  const textOf = (address: string, until: number) => `human ${networkOf(address)} ${until}`;

  function makePass(address: string): string {
    const until = now() + passSeconds;
    return `${until}.${secretBox.lookupHash(textOf(address, until))}`;
  }

  function isGood(pass: string, address: string): boolean {
    const [, until = '', hash = ''] = /^(\d{1,12})\.([0-9a-f]{64})$/.exec(pass) ?? [];
    if (until === '' || Number(until) <= now() || Number(until) > now() + passSeconds) return false;
    return secretBox
      .lookupHashes(textOf(address, Number(until)))
      .some((known) => timingSafeEqual(Buffer.from(known), Buffer.from(hash)));
  }

  return {
    async require({ token, address, pass = '' }) {
      if (!options.get('TurnstileCheckEnabled')) return { proof: 'off' };
      if (isGood(pass, address)) return { proof: 'remembered' };
      if (!(await turnstile.verify(token, address))) throw new AppError('human.failed');
      return { proof: 'fresh', pass: makePass(address) };
    },
  };
}
