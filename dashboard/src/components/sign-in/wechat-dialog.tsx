import { Field, Image, Input, makeStyles } from '@fluentui/react-components';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { bindWeChat, signInByWeChat } from '../../api/account.ts';
import { beginSession } from '../../api/session.ts';
import { useStatus } from '../../api/status.ts';
import { useNotify } from '../feedback/notify.tsx';
import { FormDialog } from '../feedback/panel-dialog.tsx';
import { useSecondStep } from './use-second-step.ts';

const useStyles = makeStyles({
  picture: { alignSelf: 'center' },
  field: { width: '100%' },
});

/** A picture to scan and the code that the account sends: to sign in, or to bind the account. */
export function WeChatDialog({ purpose, onClose }: { purpose: 'login' | 'bind'; onClose: () => void }) {
  const { t } = useTranslation('sign-in');
  const styles = useStyles();
  const navigate = useNavigate();
  const notify = useNotify();
  const isSignedIn = useSecondStep();
  const { wechat_qrcode: picture } = useStatus();
  const [code, setCode] = useState('');

  async function submit(): Promise<void> {
    if (code.trim() === '') return notify.error(t('wechat.codeMissing'));
    try {
      if (purpose === 'bind') {
        await bindWeChat(code.trim());
        notify.success(t('bound'));
        onClose();
      } else {
        const response = await signInByWeChat(code.trim());
        if (!isSignedIn(response, '/')) return;
        beginSession(response);
        notify.success(t('login.done'));
        void navigate('/');
      }
    } catch (error) {
      notify.error(error);
    }
  }

  return (
    <FormDialog
      title={t('wechat.title')}
      action={t(purpose === 'bind' ? 'wechat.bind' : 'login.submit')}
      onSubmit={submit}
      onClose={onClose}
    >
      {picture && (
        <Image
          className={styles.picture}
          src={picture}
          alt={t('wechat.picture')}
          width={200}
          height={200}
          fit="contain"
        />
      )}
      <Field className={styles.field} label={t('wechat.code')} hint={t('wechat.hint')}>
        <Input value={code} autoComplete="one-time-code" onChange={(_event, { value }) => setCode(value)} />
      </Field>
    </FormDialog>
  );
}
