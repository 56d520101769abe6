import type { Database } from '../../database/connect.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';
import { randomAlphanumerics } from '../../lib/random-key.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { type OauthProvider, stateSeconds } from '../../schemas/outside-sign-in.ts';

export interface StateBinding {
  /** The secret cookie of the browser that began. */
  browser: string;
  /** The user who was signed in there, 0 = none. */
  userId: number;
}

export interface StateContent {
  /** Undefined: the console did not say which. */
  provider?: OauthProvider | undefined;
  inviterCode: string;
  /** Whether the authorization page was given a challenge. */
  hasChallenge: boolean;
}

export interface OauthStates {
  /** Twelve characters that come back from the provider. */
  begin(binding: StateBinding, content: StateContent): Promise<string>;
  /** Once, within ten minutes, in the browser and for the user it was made for; undefined otherwise. */
  take(state: string, binding: StateBinding): Promise<StateContent | undefined>;
  /** The provider did not respond, so nothing was used up. */
  putBack(state: string, binding: StateBinding, content: StateContent): Promise<void>;
}

interface OauthStateDependencies {
  database: Database;
  secretBox: SecretBox;
  now?: Clock;
}

const purpose = 'oauth_state';

export function createOauthStates({ database, secretBox, now = nowSeconds }: OauthStateDependencies): OauthStates {
  const stateText = (state: string) => `oauth state ${state}`;
  const browserText = (browser: string) => `oauth browser ${browser}`;

  async function write(state: string, { browser, userId }: StateBinding, content: StateContent): Promise<void> {
    await database.oneTimeCodes.create({
      code_hash: secretBox.lookupHash(stateText(state)),
      subject: secretBox.lookupHash(browserText(browser)),
      purpose,
      user_id: userId,
      created_at: now(),
      expires_at: now() + stateSeconds,
      data: JSON.stringify(content),
    });
  }

  return {
    async begin(binding, content) {
      const state = randomAlphanumerics(12);
      await write(state, binding, content);
      return state;
    },
    async take(state, { browser, userId }) {
      if (!/^[0-9A-Za-z]{12}$/.test(state) || browser === '') return undefined;
      // SQL: the row is taken and returned in one statement, so that only one of two calls gets it.
      const [row] = await database.select<{ data: string }>(
        `DELETE FROM one_time_codes
         WHERE code_hash IN (:hashes) AND purpose = :purpose AND subject IN (:subjects) AND user_id = :userId
           AND expires_at > :now RETURNING data`,
        {
          hashes: secretBox.lookupHashes(stateText(state)),
          subjects: secretBox.lookupHashes(browserText(browser)),
          purpose,
          userId,
          now: now(),
        },
      );
      return row && (JSON.parse(row.data) as StateContent);
    },
    putBack: write,
  };
}
