import type { Transaction } from 'sequelize';
import { writeStartEntries } from '../../billing/start-entry.ts';
import type { Database } from '../../database/connect.ts';
import type { UserRow } from '../../database/models/user.ts';
import { randomTokenKey } from '../../lib/random-key.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { neverExpires } from '../../schemas/token.ts';
import { actorOf } from '../actor.ts';
import type { AuditService } from '../audit.ts';
import { tokenKeyPlace } from '../token/token.ts';

/** What such a token shows as its quota; unlimited ones count down too. */
const startQuota = 500_000;
const suffix = ' token';
const maxNameBytes = 30;

interface FirstTokenDependencies {
  database: Database;
  secretBox: SecretBox;
  audit: Pick<AuditService, 'record'>;
}

/** An unlimited token that never expires, in the transaction that opens the account (GENERATE_DEFAULT_TOKEN). */
export function createFirstToken({ database, secretBox, audit }: FirstTokenDependencies) {
  return async (user: UserRow, transaction: Transaction): Promise<void> => {
    const key = randomTokenKey();
    const { created_time } = user;
    const values = {
      user_id: user.id,
      name: nameFor(user.username),
      key_hash: secretBox.lookupHash(key),
      unlimited_quota: true,
      remain_quota: startQuota,
      expired_time: neverExpires,
      created_time,
      accessed_time: created_time,
    };
    const { id } = await database.tokens.create(values, { transaction });
    // The place of the secret contains the row's id, which is known only now.
    const key_encrypted = secretBox.encrypt(key, tokenKeyPlace(id));
    await database.tokens.update({ key_encrypted }, { where: { id }, transaction });
    const grant = { userId: user.id, tokenId: id, kind: 'token_grant', ref: `token:${id}:grant:1`, amount: startQuota };
    await writeStartEntries(database, transaction, [{ ...grant, actorId: user.id }]);
    await audit.record(actorOf(user, ''), { action: 'token.create', id, after: { name: values.name } }, transaction);
  };
}

function nameFor(username: string): string {
  let name = '';
  for (const character of username) {
    if (Buffer.byteLength(name + character + suffix) > maxNameBytes) break;
    name += character;
  }
  return name + suffix;
}
