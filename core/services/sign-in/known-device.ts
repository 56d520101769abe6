import { z } from 'zod';
import type { UserRow } from '../../database/models/user.ts';
import { randomSessionId } from '../../lib/random-key.ts';
import type { SecretBox } from '../../lib/secret-box.ts';

/** Two people may share a browser; more than these is a public one. */
const maxOwners = 5;
const maxTextLength = 1024;
const place = 'sign-in.device';

const deviceSchema = z.object({
  key: z.string(),
  /** Who signed in there, the last first, each with the session version of that time. */
  owners: z.array(z.tuple([z.number(), z.number()])),
});
type Device = z.output<typeof deviceSchema>;
type Owner = Pick<UserRow, 'id' | 'session_version'>;

export interface KnownDevices {
  /** What the browser is counted by when this user signed in there before; a new password forgets all of them. */
  keyFor(text: string | undefined, owner: Owner): string | undefined;
  /** What the browser keeps after this user has signed in. */
  remember(text: string | undefined, owner: Owner): string;
}

/**
 * A mark that a browser keeps for long after a sign-in. It grants no access: an attacker who guesses passwords does not keep its owner
 * out, that is all.
 */
export function createKnownDevices(secretBox: Pick<SecretBox, 'encrypt' | 'decrypt'>): KnownDevices {
  function read(text = ''): Device | undefined {
    if (text === '' || text.length > maxTextLength) return undefined;
    try {
      return deviceSchema.parse(JSON.parse(secretBox.decrypt(text, place)));
    } catch {
      return undefined; // made up, cut, or of another installation
    }
  }

  return {
    keyFor(text, { id, session_version }) {
      const device = read(text);
      return device?.owners.some(([owner, version]) => owner === id && version === session_version)
        ? device.key
        : undefined;
    },
    remember(text, { id, session_version }) {
      const { key, owners } = read(text) ?? { key: randomSessionId(), owners: [] };
      const others = owners.filter(([owner]) => owner !== id).slice(0, maxOwners - 1);
      const device: Device = { key, owners: [[id, session_version], ...others] };
      return secretBox.encrypt(JSON.stringify(device), place);
    },
  };
}
