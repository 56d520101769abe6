import type { Database } from '../../database/connect.ts';
import { findOwned } from '../../database/models/models.ts';
import type { TokenRow } from '../../database/models/token.ts';
import type { UserRow } from '../../database/models/user.ts';
import { AppError } from '../../errors/app-error.ts';
import { compileIpList } from '../../lib/ip-list.ts';
import { maskKey } from '../../lib/mask-key.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { userStatus } from '../../schemas/user.ts';

/** Whose API key it is, for questions about the key itself: one that is used up, disabled or expired may still ask. */
export async function holderOfKey(
  { database, secretBox }: { database: Database; secretBox: Pick<SecretBox, 'lookupHashes'> },
  key: string,
  address: string,
): Promise<{ token: TokenRow; user: UserRow }> {
  const whole = key.replace(/^sk-/, '');
  const [bare = ''] = whole.split('-');
  const find = async (text: string) =>
    text === '' || text.length > 256
      ? undefined
      : findOwned(database.tokens, { key_hash: secretBox.lookupHashes(text), deleted_at: null });
  // Behind a dash is the channel a key is pinned to; a key of another program may have a dash in it.
  const found = (await find(bare)) ?? (whole === bare ? undefined : await find(whole));
  if (!found || found.user.deleted_at !== null) {
    throw bare === '' ? new AppError('token.missing') : new AppError('token.unknown', { key: maskKey(`sk-${bare}`) });
  }
  const { user, ...token } = found;
  if (user.status !== userStatus.enabled) throw new AppError('user.banned');
  const mayUseFrom = compileIpList(token.allow_ips);
  if (mayUseFrom && !mayUseFrom(address)) throw new AppError('token.addressRefused', { name: token.name, address });
  return { token, user };
}
