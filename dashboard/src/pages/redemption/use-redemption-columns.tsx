import { Badge, makeStyles, Text, tokens } from '@fluentui/react-components';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Redemption, redemptionStatus } from '../../../../core/schemas/redemption.ts';
import type { Column } from '../../components/list/column.ts';
import { TextLink } from '../../components/text-link.tsx';
import { useFormat } from '../../state/format.ts';
import { objectPath } from '../../state/object-path.ts';

export function useRedemptionColumns(): Column<Redemption>[] {
  const { t } = useTranslation('redemption');
  const format = useFormat();
  return useMemo(
    () => [
      { key: 'id', hiddenBelow: 1440, sort: 'id', title: t('field.id'), grow: 0.4, minWidth: 64, cell: ({ id }) => id },
      {
        key: 'name',
        sort: 'name',
        title: t('field.name'),
        grow: 1.4,
        minWidth: 108,
        cell: ({ name }) => (
          <Text weight="semibold" truncate wrap={false} block title={name}>
            {name}
          </Text>
        ),
        line: ({ key_problem }) => key_problem,
      },
      {
        key: 'status',
        sort: 'status',
        title: t('field.status'),
        grow: 0.7,
        minWidth: 76,
        cell: (redemption) => <StatusBadge redemption={redemption} />,
      },
      {
        key: 'code',
        title: t('field.code'),
        grow: 1.1,
        minWidth: 104,
        cell: (redemption) => <MaskedCode redemption={redemption} />,
      },
      {
        key: 'quota',
        sort: 'quota',
        title: t('field.quota'),
        minWidth: 80,
        isNumber: true,
        cell: ({ quota }) => format.quota(quota),
      },
      {
        key: 'expires',
        sort: 'expired_time',
        title: t('field.expires'),
        grow: 1.3,
        minWidth: 150,
        cell: ({ expired_time: time }) => (time === 0 ? t('never') : format.time(time)),
      },
      {
        key: 'created',
        hiddenBelow: 1440,
        sort: 'created_time',
        title: t('field.created'),
        grow: 1.3,
        minWidth: 150,
        cell: ({ created_time: time }) => format.time(time),
      },
      {
        key: 'usedBy',
        hiddenBelow: 1200,
        title: t('field.usedBy'),
        grow: 0.8,
        minWidth: 96,
        isInteractive: true,
        cell: ({ used_user_id: id }) =>
          id === 0 ? t('notUsed') : <TextLink to={objectPath.user(id)}>{`#${id}`}</TextLink>,
      },
      {
        key: 'redeemed',
        sort: 'redeemed_time',
        title: t('field.redeemed'),
        grow: 1.3,
        minWidth: 150,
        isHidden: true,
        cell: ({ redeemed_time: time }) => format.time(time),
      },
    ],
    [t, format],
  );
}

const statusColors = {
  [redemptionStatus.unused]: 'success',
  [redemptionStatus.disabled]: 'danger',
  [redemptionStatus.used]: 'informative',
} as const;

export function StatusBadge({ redemption }: { redemption: Redemption }) {
  const { t } = useTranslation('redemption');
  const { status } = redemption;
  if (hasEnded(redemption)) {
    return (
      <Badge appearance="tint" color="warning">
        {t('ended')}
      </Badge>
    );
  }
  return (
    <Badge appearance="tint" color={statusColors[status as keyof typeof statusColors] ?? 'informative'}>
      {t(`status.${status}`)}
    </Badge>
  );
}

/** Unused, and its time is over. */
const hasEnded = ({ status, expired_time: time }: Redemption): boolean =>
  status === redemptionStatus.unused && time > 0 && time * 1000 <= Date.now();

const useStyles = makeStyles({
  mono: { fontFamily: tokens.fontFamilyMonospace, fontSize: tokens.fontSizeBase200 },
});

/** Enough of it to tell two apart; the whole one is for the clipboard and the dialog. */
export function MaskedCode({ redemption: { key } }: { redemption: Redemption }) {
  const styles = useStyles();
  if (key === '') return '—';
  return (
    <span className={styles.mono}>
      {key.slice(0, 4)}…{key.slice(-4)}
    </span>
  );
}
