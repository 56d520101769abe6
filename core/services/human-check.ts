import { AppError } from '../errors/app-error.ts';
import type { OptionService } from './option.ts';

export interface HumanCheckCall {
  /** What the widget on the page gave, '' when it gave nothing. */
  token: string;
  address: string;
  /** The pass an earlier check ended with, as the browser sends it back. */
  pass: string | undefined;
}

export interface HumanCheckResult {
  /** off: nobody is asked. remembered: by the pass. fresh: a token that was checked right now. */
  proof: 'off' | 'remembered' | 'fresh';
  /** To be sent back with later calls. */
  pass?: string;
}

export interface HumanCheck {
  /** Throws `human.failed` when TurnstileCheckEnabled asks for a person and there is no proof of one. */
  require(call: HumanCheckCall): Promise<HumanCheckResult>;
}

export function createHumanCheck({ options }: { options: Pick<OptionService, 'get'> }): HumanCheck {
  return {
    async require() {
      if (options.get('TurnstileCheckEnabled')) throw new AppError('human.failed');
      return { proof: 'off' };
    },
  };
}
