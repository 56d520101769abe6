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
  const [bare = ''] = key.replace(/^sk-/, '').split('-');
  const where = { key_hash: secretBox.lookupHashes(bare), deleted_at: null };
  const found = bare === '' || bare.length > 256 ? undefined : await findOwned(database.tokens, where);
  if (!found || found.user.deleted_at !== null) {
    throw bare === '' ? new AppError('token.missing') : new AppError('token.unknown', { key: maskKey(`sk-${bare}`) });
  }
  const { user, ...token } = found;
  if (user.status !== userStatus.enabled) throw new AppError('user.banned');
  const mayUseFrom = compileIpList(token.allow_ips);
  if (mayUseFrom && !mayUseFrom(address)) throw new AppError('token.addressRefused', { name: token.name, address });
  return { token, user };
}
