import { Badge, Button, makeStyles, ProgressBar, Spinner, Text, tokens } from '@fluentui/react-components';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '../../../../core/schemas/channel.ts';
import { refreshChannels, testChannel } from '../../api/channel.ts';
import { PanelDialog } from '../../components/feedback/panel-dialog.tsx';
import { SearchInput } from '../../components/form/search-input.tsx';
import { LatencyBadge } from './channel-badge.tsx';

type Result = { state: 'running' } | { state: 'ok'; ms: number } | { state: 'failed'; reason: string };

const useStyles = makeStyles({
  search: { maxWidth: 'none' },
  list: { listStyleType: 'none', margin: 0, padding: 0, maxHeight: '50vh', overflowY: 'auto' },
  row: {
    display: 'flex',
    alignItems: 'center',
    flexWrap: 'wrap',
    gap: tokens.spacingHorizontalS,
    padding: `${tokens.spacingVerticalXS} 0`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  name: { flex: '1 1 160px', minWidth: 0, overflowWrap: 'anywhere' },
  reason: { flexBasis: '100%', color: tokens.colorStatusDangerForeground1, overflowWrap: 'anywhere' },
});

/** Tests single models of a channel, or all of them one after the other. */
export function ModelTestDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const { t } = useTranslation('channel');
  const styles = useStyles();
  const [search, setSearch] = useState('');
  const { results, done, isRunning, run, stop } = useModelTests(channel.id);
  const models = channel.models.split(',').filter((name) => name.toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <PanelDialog
      title={t('models.title', { name: channel.name })}
      onClose={onClose}
      actions={
        <>
          {isRunning ? (
            <Button onClick={stop}>{t('models.stop')}</Button>
          ) : (
            <Button disabled={models.length === 0} onClick={() => void run(models)}>
              {t('models.testAll', { count: models.length })}
            </Button>
          )}
          <Button appearance="primary" onClick={onClose}>
            {t('shell:action.close')}
          </Button>
        </>
      }
    >
      <SearchInput
        className={styles.search}
        aria-label={t('models.search')}
        placeholder={t('models.search')}
        value={search}
        onChange={(_event, { value }) => setSearch(value)}
      />
      {done && (
        <div>
          <Text size={200} role="status">
            {t('models.progress', done)}
          </Text>
          <ProgressBar aria-label={t('models.progress', done)} value={done.count / done.total} />
        </div>
      )}
      <ul className={styles.list}>
        {models.map((name) => {
          const result = results[name];
          return (
            <li key={name} className={styles.row}>
              <Text className={styles.name}>{name}</Text>
              {result?.state === 'running' && <Spinner size="tiny" aria-label={t('models.running', { name })} />}
              {result?.state === 'ok' && <LatencyBadge responseTime={Math.max(result.ms, 1)} />}
              {result?.state === 'failed' && (
                <Badge appearance="tint" color="danger">
                  {t('models.failed')}
                </Badge>
              )}
              <Button
                size="small"
                aria-label={t('models.testOne', { name })}
                disabledFocusable={isRunning}
                onClick={() => void run([name])}
              >
                {t('action.test')}
              </Button>
              {result?.state === 'failed' && (
                <Text size={200} className={styles.reason}>
                  {result.reason}
                </Text>
              )}
            </li>
          );
        })}
      </ul>
    </PanelDialog>
  );
}

function useModelTests(channelId: number) {
  const [results, setResults] = useState<Record<string, Result>>({});
  const [done, setDone] = useState<{ count: number; total: number }>();
  const [isRunning, setRunning] = useState(false);
  const isStopped = useRef(false);
  // Closing ends the run; what was tested meanwhile shows in the list.
  useEffect(
    () => () => {
      isStopped.current = true;
      void refreshChannels();
    },
    [],
  );

  async function testOne(name: string): Promise<Result> {
    try {
      return { state: 'ok', ms: (await testChannel(channelId, name)) * 1000 };
    } catch (error) {
      return { state: 'failed', reason: error instanceof Error ? error.message : String(error) };
    }
  }

  async function run(names: string[]): Promise<void> {
    isStopped.current = false;
    setRunning(true);
    for (const [index, name] of names.entries()) {
      if (isStopped.current) break;
      if (names.length > 1) setDone({ count: index, total: names.length });
      setResults((before) => ({ ...before, [name]: { state: 'running' } }));
      const result = await testOne(name);
      setResults((before) => ({ ...before, [name]: result }));
    }
    setDone(undefined);
    setRunning(false);
  }

  function stop(): void {
    isStopped.current = true;
  }

  return { results, done, isRunning, run, stop };
}
