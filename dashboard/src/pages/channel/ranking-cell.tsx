import { useTranslation } from 'react-i18next';
import { type ChannelRow, isGroup, useChannelActions } from '../../api/channel.ts';
import { useConfirm } from '../../components/feedback/confirm.tsx';
import { useNotify } from '../../components/feedback/notify.tsx';
import { NumberCell } from './number-cell.tsx';
import { type Ranking, readRanking, readTagRanking } from './ranking.ts';

/** Priority or weight of a channel, or of all channels of a tag. */
export function RankingCell({ row, name }: { row: ChannelRow; name: Ranking }) {
  const { t } = useTranslation('channel');
  const notify = useNotify();
  const confirm = useConfirm();
  const { update, editTag } = useChannelActions();
  const field = t(`field.${name}`);

  if (isGroup(row)) {
    const values = new Set(row.channels.map((channel) => channel[name]));
    const count = row.channels.length;
    return (
      <NumberCell
        value={values.size === 1 ? [...values][0] : undefined}
        label={t('ranking.label', { field, name: row.tag })}
        placeholder={t('ranking.mixed')}
        read={(text) => readTagRanking(name, text)}
        onSave={async (value) => {
          const isSure = await confirm({
            title: t('ranking.title', { field, tag: row.tag }),
            text: t('ranking.text', { field, value, count }),
            action: t('ranking.action', { count }),
          });
          if (!isSure) return;
          const loaded = Object.fromEntries(row.channels.map((channel) => [channel.id, { [name]: channel[name] }]));
          await editTag({ tag: row.tag, [name]: value, loaded });
          notify.success(t('shell:done'));
        }}
      />
    );
  }
  const { id } = row;
  return (
    <NumberCell
      value={row[name]}
      label={t('ranking.label', { field, name: row.name })}
      read={(text) => readRanking(name, text)}
      onSave={async (value, before = value) => {
        await update({ id, [name]: value, loaded: { [name]: before } });
        notify.undo(t('ranking.done', { field, name: row.name, value }), () => {
          update({ id, [name]: before, loaded: { [name]: value } }).catch(notify.error);
        });
      }}
    />
  );
}
