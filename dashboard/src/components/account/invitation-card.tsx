import { Button, Field, Input, makeStyles, Text, tokens } from '@fluentui/react-components';
import { Copy20Regular } from '@fluentui/react-icons/svg/copy';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useInvitationCode, useSelf } from '../../api/self.ts';
import { usePublicAddress, useStatus } from '../../api/status.ts';
import { useFormat } from '../../state/format.ts';
import { useCopy } from '../feedback/copy.tsx';
import { FigureRow } from '../figure-row.tsx';
import { SectionCard } from '../section-card.tsx';

const TransferDialog = lazy(() => import('./transfer-dialog.tsx').then((file) => ({ default: file.TransferDialog })));

const useStyles = makeStyles({
  link: { fontFamily: tokens.fontFamilyMonospace, fontSize: tokens.fontSizeBase200 },
});

/** The own invitation link and what it has earned. */
export function InvitationCard() {
  const { t } = useTranslation('account');
  const styles = useStyles();
  const format = useFormat();
  const copy = useCopy();
  const { quota_per_unit: min } = useStatus();
  const address = usePublicAddress();
  const { data: self } = useSelf();
  const { data: code } = useInvitationCode();
  const [isOpen, setOpen] = useState(false);
  const link = code === undefined ? '' : `${address}/register?aff=${code}`;
  return (
    <SectionCard
      title={t('invitation.title')}
      purpose={t('invitation.purpose')}
      aside={
        <Button disabledFocusable={!self || self.aff_quota < min} onClick={() => setOpen(true)}>
          {t('invitation.transfer')}
        </Button>
      }
    >
      <FigureRow
        figures={[
          { label: t('invitation.pending'), text: self && format.quota(self.aff_quota) },
          { label: t('invitation.total'), text: self && format.quota(self.aff_history_quota) },
          { label: t('invitation.count'), text: self && format.number(self.aff_count) },
        ]}
      />
      {self && self.aff_quota > 0 && self.aff_quota < min && (
        <Text size={200}>{t('invitation.tooLittle', { min: format.quota(min) })}</Text>
      )}
      <Field label={t('invitation.link')}>
        <Input
          readOnly
          className={styles.link}
          value={link}
          onFocus={(event) => event.currentTarget.select()}
          contentAfter={
            <Button
              appearance="transparent"
              size="small"
              icon={<Copy20Regular />}
              aria-label={t('invitation.copy')}
              onClick={() => void copy(link, t('invitation.copied'))}
            />
          }
        />
      </Field>
      <Suspense fallback={null}>
        {isOpen && self && <TransferDialog pending={self.aff_quota} onClose={() => setOpen(false)} />}
      </Suspense>
    </SectionCard>
  );
}
