import { makeStyles, tokens, typographyStyles } from '@fluentui/react-components';
import { BotSparkle24Regular } from '@fluentui/react-icons/svg/bot-sparkle';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { priceListOptions } from '../../api/pricing.ts';
import { ButtonLink } from '../../components/button-link.tsx';
import { usePageTitle } from '../../components/page.tsx';
import { PresetRow } from '../../components/preset-row.tsx';
import { StatePanel } from '../../components/state-panel.tsx';
import { useFirstScreen } from '../../state/first-screen.ts';
import { useIsOneColumn } from '../../state/media.ts';
import { isAdmin, sessionUser } from '../../state/session.ts';
import { createStoredValue } from '../../state/stored-value.ts';
import { Composer } from './composer.tsx';
import { MessageView } from './message-view.tsx';
import { PlaygroundTools } from './playground-tools.tsx';
import { type PlaygroundSettings, playgroundSettings } from './setting.ts';
import { SettingsPanel } from './settings-panel.tsx';
import { usePlayground } from './use-playground.ts';

const CurlDialog = lazy(() => import('./curl-dialog.tsx').then((file) => ({ default: file.CurlDialog })));

/** Header and a usual footer of the console. */
const aroundPage = '112px';

const useStyles = makeStyles({
  page: { display: 'flex', height: `calc(100vh - ${aroundPage})`, minHeight: '420px' },
  chat: { flex: '1 1 0', minWidth: 0, display: 'flex', flexDirection: 'column' },
  head: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    columnGap: tokens.spacingHorizontalM,
    padding: '16px 24px 8px',
    '@media (max-width: 600px)': { padding: '12px 16px 8px' },
  },
  title: { ...typographyStyles.title2, margin: 0, outlineStyle: 'none' },
  scroll: { flex: '1 1 0', minHeight: 0, overflowY: 'auto' },
  column: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalXL,
    width: '100%',
    maxWidth: '860px',
    boxSizing: 'border-box',
    margin: '0 auto',
    padding: '16px 24px',
    '@media (max-width: 600px)': { padding: '12px 16px' },
  },
  examples: { display: 'flex', justifyContent: 'center' },
});

const isPanelOpen = createStoredValue<boolean>('playground-panel', (stored) => stored !== false);

/** A conversation with any model the account may call, at the prices of the account. */
export function PlaygroundPage() {
  const { t } = useTranslation('playground');
  const styles = useStyles();
  const title = usePageTitle(t('title'));
  useFirstScreen(true);
  // Beside the navigation and the settings a tablet would leave the conversation no room.
  const isOverlay = useIsOneColumn();
  const { settings, models, unservedGroup } = useSettings();
  const { conversation, isResponding, send, stop, retry, open } = usePlayground(settings);
  const [isCurlOpen, setCurlOpen] = useState(false);
  const [isSheetOpen, setSheetOpen] = useState(false);
  const isInlineOpen = isPanelOpen.use();
  const setPanel = (isOpen: boolean) => (isOverlay ? setSheetOpen(isOpen) : isPanelOpen.set(isOpen));
  const isSettingsOpen = isOverlay ? isSheetOpen : isInlineOpen;
  const { messages } = conversation;
  return (
    <div className={styles.page}>
      <div className={styles.chat}>
        <header className={styles.head}>
          <h1 ref={title} tabIndex={-1} className={styles.title}>
            {t('title')}
          </h1>
          <PlaygroundTools
            conversation={conversation}
            onOpen={open}
            onCurl={() => setCurlOpen(true)}
            onSettings={() => setPanel(!isSettingsOpen)}
          />
        </header>
        <Conversation lastText={messages.at(-1)?.text ?? ''} count={messages.length}>
          {messages.length === 0 && unservedGroup !== undefined ? (
            <Unserved group={unservedGroup} />
          ) : messages.length === 0 ? (
            <Welcome model={settings.model} onSend={(text) => send(text, [])} />
          ) : (
            messages.map((message) => <MessageView key={message.id} message={message} onRetry={retry} />)
          )}
        </Conversation>
        <div className={styles.column}>
          <Composer isResponding={isResponding} onSend={send} onStop={stop} />
        </div>
      </div>
      <SettingsPanel isOpen={isSettingsOpen} onClose={() => setPanel(false)} settings={settings} models={models} />
      <Suspense fallback={null}>
        {isCurlOpen && <CurlDialog messages={messages} settings={settings} onClose={() => setCurlOpen(false)} />}
      </Suspense>
    </div>
  );
}

interface Choices {
  settings: PlaygroundSettings;
  models: string[];
  /** The group, when nothing is served to it. */
  unservedGroup: string | undefined;
}

/** Those kept in this browser, with a model that the group really serves. */
function useSettings(): Choices {
  const kept = playgroundSettings.use();
  const user = sessionUser.use();
  const { data } = useQuery(priceListOptions);
  const [search, setSearch] = useSearchParams();
  const wanted = search.get('model');
  useEffect(() => {
    if (!wanted) return;
    playgroundSettings.set({ ...playgroundSettings.get(), model: wanted });
    setSearch({}, { replace: true });
  }, [wanted, setSearch]);
  const group = kept.group || user?.group || '';
  const served = data?.data.filter((row) => row.enable_groups.includes(group)) ?? [];
  const models = served.map((row) => row.model_name);
  const model = models.includes(kept.model) ? kept.model : (models[0] ?? kept.model);
  return { settings: { ...kept, model }, models, unservedGroup: data && models.length === 0 ? group : undefined };
}

/** Near enough to the end that new words should stay in sight. */
const nearPx = 80;

function Conversation({ lastText, count, children }: { lastText: string; count: number; children: React.ReactNode }) {
  const { t } = useTranslation('playground');
  const styles = useStyles();
  const box = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message is looked at wherever one was reading
  useLayoutEffect(() => {
    isFollowing.current = true;
  }, [count]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever there is more to see
  useLayoutEffect(() => {
    if (isFollowing.current) box.current?.scrollTo(0, box.current.scrollHeight);
  }, [lastText, count]);
  return (
    <section
      ref={box}
      className={styles.scroll}
      aria-label={t('conversation')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long conversation is scrolled by keyboard
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isFollowing.current = scrollHeight - scrollTop - clientHeight < nearPx;
      }}
    >
      <div className={styles.column}>{children}</div>
    </section>
  );
}

/** Before there is a model to ask: why not, and for admins what to do. */
function Unserved({ group }: { group: string }) {
  const { t } = useTranslation('playground');
  return (
    <StatePanel
      icon={<BotSparkle24Regular />}
      title={t('unserved')}
      text={t('unservedText', { group })}
      action={
        isAdmin(sessionUser.use()) && (
          <ButtonLink to="/channel/add" appearance="primary">
            {t('addChannel')}
          </ButtonLink>
        )
      }
    />
  );
}

const examples = ['explain', 'write', 'code'];

function Welcome({ model, onSend }: { model: string; onSend: (text: string) => void }) {
  const { t } = useTranslation('playground');
  const styles = useStyles();
  return (
    <StatePanel
      icon={<BotSparkle24Regular />}
      title={t('welcome')}
      text={t('welcomeText', { model })}
      action={
        <div className={styles.examples}>
          <PresetRow
            isCentered
            label={t('examples')}
            presets={examples.map((key) => ({
              key,
              text: t(`example.${key}`),
              onSelect: () => onSend(t(`example.${key}`)),
            }))}
          />
        </div>
      }
    />
  );
}
