import { Button, Divider, makeStyles, Text, tokens } from '@fluentui/react-components';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OauthProvider } from '../../../../core/schemas/outside-sign-in.ts';
import { outsideAddress } from '../../api/account.ts';
import { type Status, useStatus } from '../../api/status.ts';
import { invitationCode } from '../../state/preference.ts';
import { useNotify } from '../feedback/notify.tsx';

const WeChatDialog = lazy(() => import('./wechat-dialog.tsx').then((file) => ({ default: file.WeChatDialog })));

const useStyles = makeStyles({
  ways: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS },
  telegram: { display: 'flex', justifyContent: 'center' },
});

/** Every way in by an account elsewhere that the operator has turned on. */
export function OutsideSignIn() {
  const { t } = useTranslation('sign-in');
  const styles = useStyles();
  const status = useStatus();
  const [isWeChatOpen, setWeChatOpen] = useState(false);
  const open = useOpenProvider();
  const providers = providersOf(status);
  if (providers.length === 0 && !status.wechat_login && !status.telegram_oauth) return null;
  return (
    <div className={styles.ways}>
      <Divider>{t('outside.or')}</Divider>
      {providers.map((provider) => (
        <Button key={provider} onClick={() => open(provider)}>
          {t(`outside.${provider}`)}
        </Button>
      ))}
      {status.wechat_login && <Button onClick={() => setWeChatOpen(true)}>{t('outside.wechat')}</Button>}
      {status.telegram_oauth && <TelegramButton botName={status.telegram_bot_name} comesBackTo="/oauth/telegram" />}
      <Suspense fallback={null}>
        {isWeChatOpen && <WeChatDialog purpose="login" onClose={() => setWeChatOpen(false)} />}
      </Suspense>
    </div>
  );
}

export function providersOf(status: Status): OauthProvider[] {
  const isOn = { github: status.github_oauth, linuxdo: status.linuxdo_oauth, oidc: status.oidc_enabled };
  return (['github', 'linuxdo', 'oidc'] as const).filter((provider) => isOn[provider]);
}

/** Opens the provider's page in a window of its own; it comes back to /oauth/<provider>. */
export function useOpenProvider(): (provider: OauthProvider) => void {
  const notify = useNotify();
  return (provider) => {
    // At once, while the click still counts: later it would be an unrequested popup.
    const page = window.open('', '_blank');
    outsideAddress(provider, invitationCode.get()).then(
      (address) => {
        if (page) page.location.href = address;
        else location.assign(address);
      },
      (error: unknown) => {
        page?.close();
        notify.error(error);
      },
    );
  };
}

/** The widget brings its own look. */
export function TelegramButton({ botName, comesBackTo }: { botName: string; comesBackTo: string }) {
  const styles = useStyles();
  const place = useRef<HTMLDivElement>(null);
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    const script = document.createElement('script');
    script.src = 'https://telegram.org/js/telegram-widget.js?22';
    script.async = true;
    script.dataset.telegramLogin = botName;
    script.dataset.size = 'large';
    script.dataset.authUrl = location.origin + comesBackTo;
    script.onerror = () => setMissing(true);
    place.current?.replaceChildren(script);
  }, [botName, comesBackTo]);
  return (
    <>
      <div ref={place} className={styles.telegram} />
      <Suspense fallback={null}>{isMissing && <TelegramMissing />}</Suspense>
    </>
  );
}

/** Where Telegram is out of reach, its button would be missing without a word. */
function TelegramMissing() {
  const { t } = useTranslation('sign-in');
  return (
    <Text role="status" size={200} block align="center">
      {t('outside.telegramMissing')}
    </Text>
  );
}
