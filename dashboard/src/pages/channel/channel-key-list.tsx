import { Badge, Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import type { Channel } from '../../../../core/schemas/channel.ts';
import type { ChannelKey } from '../../../../core/schemas/channel-key.ts';
import { channelStatus } from '../../../../core/schemas/channel-status.ts';
import { useChannelKeyActions, useChannelKeys } from '../../api/channel-key.ts';
import { useConfirm } from '../../components/feedback/confirm.tsx';
import { useNotify } from '../../components/feedback/notify.tsx';
import { UntilLoaded } from '../../components/feedback/until-loaded.tsx';
import { useFormat } from '../../state/format.ts';

const statusColors: Record<number, 'success' | 'danger' | 'warning'> = {
  [channelStatus.enabled]: 'success',
  [channelStatus.disabled]: 'danger',
  [channelStatus.autoDisabled]: 'warning',
};

const useStyles = makeStyles({
  list: { listStyleType: 'none', margin: 0, padding: 0 },
  row: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: tokens.spacingHorizontalM,
    padding: `${tokens.spacingVerticalS} 0`,
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    ':first-child': { borderTop: 'none' },
  },
  words: { flex: '1 1 200px', minWidth: 0, display: 'flex', flexDirection: 'column' },
  head: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalS },
  detail: { color: tokens.colorNeutralForeground3, overflowWrap: 'anywhere' },
});

/** The keys of a channel, each with its state; a key is named by its number and its last characters. */
export function ChannelKeyList({ channel }: { channel: Channel }) {
  const { t } = useTranslation('channel');
  const styles = useStyles();
  const notify = useNotify();
  const confirm = useConfirm();
  const reading = useChannelKeys(channel.id);
  const { setStatus, remove } = useChannelKeyActions(channel.id);
  const toggleWord = ({ status }: ChannelKey) =>
    status === channelStatus.enabled ? t('keyTab.disable') : t('keyTab.enable');
  const changed = () => notify.success(t('keyTab.changed'));

  async function removeOne(key: ChannelKey): Promise<void> {
    const question = { title: t('keyTab.removeTitle', { key: labelOf(key) }), text: t('keyTab.removeText') };
    if (!(await confirm({ ...question, action: t('keyTab.remove'), isDangerous: true }))) return;
    await remove({ keys: [key.id] }).then(changed, notify.error);
  }

  const toggle = ({ id, status }: ChannelKey) =>
    setStatus({ keys: [id], status: status === channelStatus.enabled ? 2 : 1 }).then(changed, notify.error);

  return (
    <>
      <UntilLoaded reading={reading} />
      <ul className={styles.list} aria-label={t('keyTab.list')}>
        {(reading.data ?? []).map((key) => (
          <li key={key.id} className={styles.row}>
            <KeyWords channelKey={key} />
            <Button aria-label={`${toggleWord(key)} ${labelOf(key)}`} onClick={() => void toggle(key)}>
              {toggleWord(key)}
            </Button>
            {key.key_problem === undefined && (
              <Button aria-label={`${t('keyTab.remove')} ${labelOf(key)}`} onClick={() => void removeOne(key)}>
                {t('keyTab.remove')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function KeyWords({ channelKey: key }: { channelKey: ChannelKey }) {
  const { t } = useTranslation('channel');
  const styles = useStyles();
  const format = useFormat();
  const since = key.time > 0 ? format.time(key.time) : '';
  const detail = [since, key.reason].filter(Boolean).join(' · ');
  return (
    <span className={styles.words}>
      <span className={styles.head}>
        <Text weight="semibold">{labelOf(key)}</Text>
        <Badge appearance="tint" color={statusColors[key.status] ?? 'warning'}>
          {t(`status.${key.status}`)}
        </Badge>
      </span>
      {detail && (
        <Text size={200} className={styles.detail}>
          {detail}
        </Text>
      )}
    </span>
  );
}

const labelOf = ({ id, ends }: ChannelKey) => (ends ? `#${id} …${ends}` : `#${id}`);
