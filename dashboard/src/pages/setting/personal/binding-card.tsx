import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { User } from '../../../../../core/schemas/user.ts';
import { confirmSession, refreshSelf, useFreshSession, useSelf } from '../../../api/self.ts';
import { useStatus } from '../../../api/status.ts';
import { UntilLoaded } from '../../../components/feedback/until-loaded.tsx';
import { SectionCard } from '../../../components/section-card.tsx';
import { providersOf, TelegramButton, useOpenProvider } from '../../../components/sign-in/outside-sign-in.tsx';
import { loadTexts } from '../../../i18n/language.ts';

const EmailDialog = lazy(() => import('./email-dialog.tsx').then((file) => ({ default: file.EmailDialog })));
const PasswordDialog = lazy(() => import('./password-dialog.tsx').then((file) => ({ default: file.PasswordDialog })));
/** Of the sign-in pages, with their texts. */
const WeChatDialog = lazy(async () => {
  const [file] = await Promise.all([import('../../../components/sign-in/wechat-dialog.tsx'), loadTexts('sign-in')]);
  return { default: file.WeChatDialog };
});

const useStyles = makeStyles({
  list: { listStyleType: 'none', margin: 0, padding: 0 },
  row: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: tokens.spacingHorizontalM,
    padding: `${tokens.spacingVerticalS} 0`,
    minHeight: '32px',
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    ':first-child': { borderTop: 'none' },
  },
  words: { flex: '1 1 160px', minWidth: 0, display: 'flex', flexDirection: 'column' },
  value: { color: tokens.colorNeutralForeground3, overflowWrap: 'anywhere' },
});

type Dialog = 'email' | 'wechat';
type Act = () => void;

/** The ways to be known here from elsewhere. */
export function BindingCard() {
  const { t } = useTranslation('account');
  const styles = useStyles();
  const reading = useSelf();
  const { data: self } = reading;
  const [open, setOpen] = useState<Dialog>();
  const owner = useOwnerCheck();
  return (
    <SectionCard title={t('binding.title')} purpose={t('binding.purpose')}>
      <UntilLoaded reading={reading} />
      {self && (
        <ul className={styles.list}>
          <Bindings self={self} onOpen={setOpen} owner={owner} />
        </ul>
      )}
      <Suspense fallback={null}>
        {owner.waiting && (
          <PasswordDialog
            title={t('binding.confirm')}
            purpose={t('binding.confirmPurpose')}
            onSubmit={owner.confirm}
            onClose={owner.giveUp}
          />
        )}
        {open === 'email' && <EmailDialog onClose={() => setOpen(undefined)} />}
        {open === 'wechat' && (
          <WeChatDialog
            purpose="bind"
            onClose={() => {
              setOpen(undefined);
              void refreshSelf();
            }}
          />
        )}
      </Suspense>
    </SectionCard>
  );
}

/** Another way to sign in is linked by the owner only: a session that is not fresh asks for the password first. */
function useOwnerCheck() {
  const { data, refetch } = useFreshSession();
  const [waiting, setWaiting] = useState<Act>();

  async function run(act: Act): Promise<void> {
    const session = data?.is_fresh ? data : (await refetch()).data;
    // Without a password to ask for, the server says what to do.
    if (session?.is_fresh || session?.password_needed === false) act();
    else setWaiting(() => act);
  }

  async function confirm(password: string): Promise<void> {
    await confirmSession(password);
    await refetch();
    setWaiting(undefined);
    waiting?.();
  }

  return { isFresh: data?.is_fresh ?? false, waiting, run, confirm, giveUp: () => setWaiting(undefined) };
}

/** Who goes from window to window and back is not asked about each time. */
const readPauseMs = 5000;

/** The page of a provider is another tab: what was linked there is read when the user is back in this one. */
function useReadOnReturn(): Act {
  const isAway = useRef(false);
  const readAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const onFocus = () => {
      const now = performance.now();
      if (!isAway.current || now - readAt.current < readPauseMs) return;
      readAt.current = now;
      void refreshSelf();
    };
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, []);
  return () => {
    isAway.current = true;
  };
}

const columns = { github: 'github_id', linuxdo: 'linux_do_id', oidc: 'oidc_id' } as const;

interface BindingsProps {
  self: User;
  onOpen: (dialog: Dialog) => void;
  owner: ReturnType<typeof useOwnerCheck>;
}

function Bindings({ self, onOpen, owner }: BindingsProps) {
  const { t } = useTranslation('account');
  const status = useStatus();
  const openProvider = useOpenProvider();
  const readOnReturn = useReadOnReturn();
  const open = (provider: keyof typeof columns) => {
    readOnReturn();
    openProvider(provider);
  };
  const [isTelegramOpen, setTelegramOpen] = useState(false);
  const providers = providersOf(status);
  const button = (name: string, onClick: () => void, text = t('binding.bind')) => (
    <Button aria-label={t('binding.label', { action: text, name })} onClick={onClick}>
      {text}
    </Button>
  );
  return (
    <>
      <Binding name={t('binding.email')} value={self.email}>
        {button(t('binding.email'), () => onOpen('email'), t(self.email ? 'binding.change' : 'binding.bind'))}
      </Binding>
      <Binding name={t('binding.wechat')} value={self.wechat_id} isOffered={status.wechat_login}>
        {button(t('binding.wechat'), () => void owner.run(() => onOpen('wechat')))}
      </Binding>
      {(['github', 'linuxdo', 'oidc'] as const).map((provider) => (
        <Binding
          key={provider}
          name={t(`binding.${provider}`)}
          value={self[columns[provider]]}
          isOffered={providers.includes(provider)}
        >
          {button(t(`binding.${provider}`), () => void owner.run(() => open(provider)))}
        </Binding>
      ))}
      <Binding name={t('binding.telegram')} value={self.telegram_id} isOffered={status.telegram_oauth}>
        {owner.isFresh || isTelegramOpen ? (
          <TelegramButton botName={status.telegram_bot_name} comesBackTo="/oauth/telegram" />
        ) : (
          button(t('binding.telegram'), () => void owner.run(() => setTelegramOpen(true)))
        )}
      </Binding>
    </>
  );
}

interface BindingProps {
  name: string;
  /** Empty while there is none. */
  value: string;
  /** Whether the operator has turned it on; an address can be changed at any time. */
  isOffered?: boolean;
  children: ReactNode;
}

function Binding({ name, value, isOffered, children }: BindingProps) {
  const { t } = useTranslation('account');
  const styles = useStyles();
  const canBind = isOffered === undefined || (isOffered && value === '');
  const missing = isOffered === false ? t('binding.off') : t('binding.none');
  return (
    <li className={styles.row}>
      <span className={styles.words}>
        <Text weight="semibold">{name}</Text>
        <Text size={200} className={styles.value}>
          {value || missing}
        </Text>
      </span>
      {canBind && children}
    </li>
  );
}
