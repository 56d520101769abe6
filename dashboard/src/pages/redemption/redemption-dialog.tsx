import { Button, Field, Input, makeStyles, tokens } from '@fluentui/react-components';
import { Copy20Regular } from '@fluentui/react-icons/svg/copy';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Redemption } from '../../../../core/schemas/redemption.ts';
import { useCopy } from '../../components/feedback/copy.tsx';
import { PanelDialog } from '../../components/feedback/panel-dialog.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useFormat } from '../../state/format.ts';
import { objectPath } from '../../state/object-path.ts';
import { StatusBadge } from './use-redemption-columns.tsx';

const useStyles = makeStyles({
  code: { fontFamily: tokens.fontFamilyMonospace },
  facts: {
    display: 'grid',
    gridTemplateColumns: 'max-content 1fr',
    gap: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalL}`,
    margin: 0,
  },
  fact: { margin: 0 },
  label: { color: tokens.colorNeutralForeground3 },
});

/** The whole code, and what has become of it. */
export function RedemptionDialog({ redemption, onClose }: { redemption: Redemption; onClose: () => void }) {
  const { t } = useTranslation('redemption');
  const styles = useStyles();
  const copy = useCopy();
  const format = useFormat();
  const { name, key, key_problem, quota, created_time, expired_time, redeemed_time, used_user_id } = redemption;
  const facts: [string, ReactNode][] = [
    [t('field.status'), <StatusBadge key="status" redemption={redemption} />],
    [t('field.quota'), format.quota(quota)],
    [t('field.created'), format.time(created_time)],
    [t('field.expires'), expired_time === 0 ? t('never') : format.time(expired_time)],
    [
      t('field.usedBy'),
      used_user_id === 0 ? (
        t('notUsed')
      ) : (
        <TextLink key="usedBy" to={objectPath.user(used_user_id)}>{`#${used_user_id}`}</TextLink>
      ),
    ],
    [t('field.redeemed'), format.time(redeemed_time)],
  ];
  return (
    <PanelDialog title={t('view.title', { name })} onClose={onClose}>
      <Field label={t('field.code')} {...(key_problem && { validationMessage: key_problem })}>
        <Input
          readOnly
          className={styles.code}
          value={key}
          contentAfter={
            <Button
              appearance="transparent"
              size="small"
              icon={<Copy20Regular />}
              disabled={key === ''}
              aria-label={t('action.copy')}
              onClick={() => void copy(key)}
            />
          }
        />
      </Field>
      <dl className={styles.facts}>
        {facts.map(([label, value]) => (
          <Fragment key={label}>
            <dt className={styles.label}>{label}</dt>
            <dd className={styles.fact}>{value}</dd>
          </Fragment>
        ))}
      </dl>
    </PanelDialog>
  );
}
