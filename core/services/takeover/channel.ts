import { Op } from 'sequelize';
import type { ChannelRow } from '../../database/models/channel.ts';
import type { TakeoverMarkRow } from '../../database/models/takeover-mark.ts';
import { AppError } from '../../errors/app-error.ts';
import { channelCreateSchema } from '../../schemas/channel.ts';
import { channelStatus } from '../../schemas/channel-status.ts';
import { channelTypeOf } from '../../schemas/channel-type.ts';
import type { AbilityService } from '../ability.ts';
import { oneKey, otherOrDefault } from '../channel/rule.ts';
import { channelKeyPlace } from '../routing.ts';
import { poolFromNewApi, type StoredKeys } from './channel-key.ts';
import { type ChannelKind, kindFromOneApi } from './channel-type.ts';
import { secondsOf, textOf, wholeOf } from './field.ts';
import { bookDifference, markOf, markRow } from './mark.ts';
import { kindFromOneHub, lostFromOneHub, settingFromOneHub } from './one-hub-type.ts';
import type { SourceKind } from './source.ts';
import type { SourceRow } from './source-reader.ts';
import { createTally, freeId, keepUsed, skipIds, type Taking, type Tally } from './taking.ts';

/** Channels with their keys, which are encrypted on arrival; their abilities are rebuilt. */
export async function takeChannels(taking: Taking, abilities: Pick<AbilityService, 'rebuild'>): Promise<Tally> {
  const tally = createTally('channels');
  let highest = 0;
  for await (const page of taking.source.rows('channels')) {
    for (const row of page) {
      highest = Math.max(highest, wholeOf(row, 'id'));
      const channel = await takeChannel(taking, row, tally);
      if (channel === undefined) continue;
      taking.ids.channels.set(wholeOf(row, 'id'), channel.id);
      if (channel.isNew) await abilities.rebuild(await rowOf(taking, channel.id), taking.transaction);
    }
  }
  await skipIds(taking, 'channels', highest);
  return tally;
}

async function rowOf({ database, transaction }: Taking, id: number): Promise<ChannelRow> {
  return (await database.channels.findOne({
    where: { id },
    raw: true,
    transaction,
    rejectOnEmpty: true,
  })) as ChannelRow;
}

async function takeChannel(
  taking: Taking,
  row: SourceRow,
  tally: Tally,
): Promise<{ id: number; isNew: boolean } | undefined> {
  const { database, secretBox, source, transaction } = taking;
  const name = textOf(row, 'name') || `#${row.id}`;
  const kind = kindFrom[source.kind](row);
  const taken = kind && keysOf(kind, row);
  const key = taken?.secret;
  if (kind === undefined) tally.skip('typeUnknown', `${name} (${row.type})`);
  else if (key === undefined) tally.skip(kind.key === '' ? 'noKey' : 'severalKeys', name);
  if (kind === undefined || key === undefined) return undefined;
  const known = await findKnown(taking, kind.type, name, secretBox.lookupHashes(key), wholeOf(row, 'id'));
  if (known !== undefined) {
    await addSince(taking, known, row, tally);
    return { id: known, isNew: false };
  }
  const checked = channelCreateSchema.safeParse(inputOf(row, { ...kind, key }, name));
  if (!checked.success) {
    const [issue] = checked.error.issues;
    const isType = issue?.path[0] === 'type';
    tally.skip(isType ? 'typeUnknown' : 'badSetting', `${name} (${isType ? kind.type : issue?.path.join('.')})`);
    return undefined;
  }
  const { key: _key, key_mode: _mode, ...fields } = checked.data;
  const place = await freeId(taking, 'channels', wholeOf(row, 'id'));
  const { id } = await database.channels.create(
    {
      ...fields,
      ...measured(row),
      ...place,
      key_hash: secretBox.lookupHash(key),
      key_pool: taken?.key_pool ?? '',
      private_allowed: true,
    },
    { transaction },
  );
  // The place of the secret contains the row's id, which is known only now.
  const key_encrypted = secretBox.encrypt(key, channelKeyPlace(id));
  await database.channels.update({ key_encrypted }, { where: { id }, transaction });
  await keepUsed(taking, 'channel', id, wholeOf(row, 'used_quota'));
  await markRow(taking, { subject: 'channel', id, oldId: wholeOf(row, 'id'), ...sumsOf(row) });
  for (const field of lostFields(row, source.kind)) tally.note('fieldLost', `${name} (${field})`);
  tally.taken();
  return { id, isNew: true };
}

async function addSince(taking: Taking, id: number, row: SourceRow, tally: Tally): Promise<void> {
  const mark = await markOf(taking, 'channel', id);
  // Where two installations had a channel with one key, the mark says what it had served in the first.
  const isCounted = mark && isOfThis(taking, mark);
  if (isCounted && (await bookDifference(taking, mark, { ...sumsOf(row), userId: 0 }))) tally.changed();
  else tally.present();
}

const sumsOf = (row: SourceRow) => ({ quota: 0, used: wholeOf(row, 'used_quota') });

/** Settings of the old program that no channel has here. */
function lostFields(row: SourceRow, kind: SourceKind): string[] {
  if (kind === 'one-hub') return lostFromOneHub(row);
  const isSaid = (name: string) => !/^(|null|\{\s*\})$/.test(textOf(row, name));
  return ['header_override', 'system_prompt'].filter(isSaid);
}

const kindFrom: Record<SourceKind, (row: SourceRow) => ChannelKind | undefined> = {
  'one-api': kindFromOneApi,
  'one-hub': kindFromOneHub,
  'new-api': (row) => ({
    type: wholeOf(row, 'type'),
    base_url: textOf(row, 'base_url'),
    other: textOf(row, 'other'),
    key: textOf(row, 'key'),
  }),
};

/** As the row contains them. Undefined for none, and for several in one field of a channel that was to have one. */
function keysOf({ type, key }: ChannelKind, row: SourceRow): StoredKeys | undefined {
  if (key === '') return undefined;
  try {
    return poolFromNewApi(type, key, row.channel_info) ?? { secret: oneKey(type, key), key_pool: '' };
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/**
 * Where an earlier import of this installation put it, also when it got another key since, or by its key. Two channels of the source may
 * have one key and one name: each has a channel of its own here.
 */
async function findKnown(
  taking: Taking,
  type: number,
  name: string,
  hashes: string[],
  oldId: number,
): Promise<number | undefined> {
  const { database, transaction } = taking;
  const marks = await database.takeoverMarks.findAll({
    attributes: ['id', 'source'],
    where: { subject: 'channel', old_id: oldId },
    raw: true,
    transaction,
  });
  const id = marks.filter((mark) => isOfThis(taking, mark)).map((mark) => mark.id);
  const where = { type, name, [Op.or]: [{ key_hash: hashes }, { id }] };
  const rows = await database.channels.findAll({
    attributes: ['id'],
    where,
    order: [['id', 'ASC']],
    raw: true,
    transaction,
  });
  const others = new Set(taking.ids.channels.values());
  const free = rows.map((row) => row.id).filter((one) => !others.has(one));
  return free.find((one) => id.includes(one)) ?? free[0];
}

/** A former version did not note the installation. */
const isOfThis = ({ installation }: Taking, { source }: Pick<TakeoverMarkRow, 'source'>) =>
  (source ?? installation) === installation;

const isRegional = (type: number) => channelTypeOf(type)?.other?.isRegion === true;

function inputOf(row: SourceRow, { type, base_url, other, key }: ChannelKind, name: string) {
  return {
    type,
    key,
    name,
    base_url: base_url.replace(/\/+$/, ''),
    other: otherOrDefault({ type, other: isRegional(type) && other === '' ? 'global' : other }),
    models: textOf(row, 'models'),
    group: textOf(row, 'group') || 'default',
    openai_organization: textOf(row, 'openai_organization') || textOf(row, 'open_ai_organization'),
    test_model: textOf(row, 'test_model'),
    model_mapping: objectText(textOf(row, 'model_mapping')),
    status_code_mapping: objectText(textOf(row, 'status_code_mapping')),
    setting: objectText(textOf(row, 'setting')) || settingFromOneHub(row),
    param_override: objectText(textOf(row, 'param_override')),
    tag: textOf(row, 'tag'),
    priority: wholeOf(row, 'priority'),
    weight: wholeOf(row, 'weight'),
    auto_ban: 'auto_ban' in row ? (wholeOf(row, 'auto_ban') === 1 ? 1 : 0) : 1,
  };
}

/** Empty objects and the text `null` say nothing. */
const objectText = (text: string) => (/^(\{\s*\}|null)$/.test(text) ? '' : text);

/** What the form of a channel does not contain. */
function measured(row: SourceRow): Partial<ChannelRow> {
  const status = wholeOf(row, 'status', channelStatus.disabled);
  const isKnown = Object.values(channelStatus).some((known) => known === status);
  return {
    status: isKnown ? status : channelStatus.disabled,
    created_time: secondsOf(row, 'created_time'),
    test_time: secondsOf(row, 'test_time'),
    response_time: wholeOf(row, 'response_time'),
    balance: Number(row.balance) || 0,
    balance_updated_time: secondsOf(row, 'balance_updated_time'),
    used_quota: wholeOf(row, 'used_quota'),
    other_info: textOf(row, 'other_info'),
  };
}
