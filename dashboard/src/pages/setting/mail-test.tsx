import { Button, Field, Input } from '@fluentui/react-components';
import { Send20Regular } from '@fluentui/react-icons/svg/send';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sendTestMail } from '../../api/setting.ts';
import { useNotify } from '../../components/feedback/notify.tsx';
import { useExtraStyles } from './extra-style.ts';

/** Shows whether the saved mail settings work. */
export function MailTest() {
  const { t } = useTranslation('setting');
  const styles = useExtraStyles();
  const notify = useNotify();
  const [email, setEmail] = useState('');
  const [isSending, setSending] = useState(false);

  async function send(): Promise<void> {
    if (email.trim() === '') return notify.error(t('mailTest.missing'));
    setSending(true);
    await sendTestMail(email.trim())
      .then(() => notify.success(t('mailTest.sent', { email })), notify.error)
      .finally(() => setSending(false));
  }
  return (
    <div className={styles.row}>
      <Field label={t('mailTest.address')} className={styles.field}>
        <Input type="email" value={email} autoComplete="email" onChange={(_event, { value }) => setEmail(value)} />
      </Field>
      <Button icon={<Send20Regular />} disabledFocusable={isSending} onClick={() => void send()}>
        {t('mailTest.send')}
      </Button>
    </div>
  );
}
